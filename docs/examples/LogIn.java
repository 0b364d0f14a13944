// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A log-in with the stock Thrift library of Java, over TLS.
//
//     thrift --gen java --out . idl/kvsql.thrift
//     javac -cp libthrift.jar:slf4j-api.jar:. LogIn.java
//     KVSQL_PASSWORD=secret java -cp libthrift.jar:slf4j-api.jar:. LogIn db1.example.com 5797 ca.pem ann

import java.io.FileInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TSocket;
import org.apache.thrift.transport.layered.TFramedTransport;
import org.kvsql.rpc.Page;
import org.kvsql.rpc.QueryOptions;
import org.kvsql.rpc.Sql;

public class LogIn {
  static Sql.Client connect(String host, int port, String ca) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream file = new FileInputStream(ca)) {
      store.setCertificateEntry("ca", CertificateFactory.getInstance("X.509").generateCertificate(file));
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(host, port);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the certificate has to be for this host
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return new Sql.Client(new TBinaryProtocol(new TFramedTransport(new TSocket(socket))));
  }

  static byte[] mac(byte[] key, String text) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
  }

  static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  static String text(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes).toString();
  }

  // SCRAM-SHA-256 (RFC 5802, RFC 7677): the password is not sent.
  static void logIn(Sql.Client client, String user, String password) throws Exception {
    byte[] random = new byte[18];
    new SecureRandom().nextBytes(random);
    String nonce = Base64.getEncoder().encodeToString(random);
    String first = "n=" + user.replace("=", "=3D").replace(",", "=2C") + ",r=" + nonce;
    String challenge = text(client.beginAuthentication("SCRAM-SHA-256", bytes("n,," + first)));
    String[] fields = challenge.split(",");
    if (!fields[0].startsWith("r=" + nonce)) {
      throw new SecurityException("this is no answer to our message");
    }
    byte[] salt = Base64.getDecoder().decode(fields[1].substring(2));
    int iterations = Integer.parseInt(fields[2].substring(2));
    byte[] salted = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
        .generateSecret(new PBEKeySpec(password.toCharArray(), salt, iterations, 256)).getEncoded();
    String message = "c=biws," + fields[0];
    String signed = first + "," + challenge + "," + message;
    byte[] proof = mac(salted, "Client Key");
    byte[] signature = mac(MessageDigest.getInstance("SHA-256").digest(proof), signed);
    for (int i = 0; i < proof.length; i++) {
      proof[i] ^= signature[i];
    }
    String answer = text(client.finishAuthentication(bytes(message + ",p=" + Base64.getEncoder().encodeToString(proof))));
    String expected = "v=" + Base64.getEncoder().encodeToString(mac(mac(salted, "Server Key"), signed));
    if (!MessageDigest.isEqual(answer.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8))) {
      throw new SecurityException("the server does not know this password's verifier: it is another one");
    }
  }

  public static void main(String[] words) throws Exception {
    Sql.Client client = connect(words[0], Integer.parseInt(words[1]), words[2]);
    logIn(client, words[3], System.getenv("KVSQL_PASSWORD"));
    Page page = client.query("SELECT 1 AS one", List.of(), new QueryOptions());
    System.out.println(page.columns.get(0).i);
  }
}
