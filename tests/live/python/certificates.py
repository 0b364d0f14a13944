# SPDX-License-Identifier: LGPL-2.1-or-later
"""certificates.py: certificates for tests, by the program openssl."""

import shutil
import subprocess

import support


def openssl(*words):
    if not shutil.which("openssl"):
        support.skip_all("openssl is not installed")
    done = subprocess.run(["openssl", *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def new_key(path):
    openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", path)
    path.chmod(0o600)


class Authority:
    """A CA in a folder: NAME.pem, NAME.key."""

    def __init__(self, folder, name="ca"):
        self.folder, self.key, self.certificate = folder, folder / f"{name}.key", folder / f"{name}.pem"
        new_key(self.key)
        openssl("req", "-x509", "-new", "-key", self.key, "-days", "2", "-subj", f"/CN=kvsql test {name}", "-out", self.certificate)

    def sign(self, name, subject=None, names="IP:127.0.0.1,DNS:localhost", days=1):
        """NAME.pem and NAME.key, signed by it. @days: below 0: it has expired. Returns both paths."""
        key, request, certificate, extensions = (self.folder / f"{name}.{kind}" for kind in ("key", "csr", "pem", "ext"))
        new_key(key)
        extensions.write_text(f"subjectAltName={names}\n")
        openssl("req", "-new", "-key", key, "-subj", subject or f"/CN={name}", "-out", request)
        if days < 0:
            self.sign_expired(request, extensions, certificate)
        else:
            openssl("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.key, "-CAcreateserial", "-days", days,
                    "-extfile", extensions, "-out", certificate)
        return certificate, key

    def sign_expired(self, request, extensions, certificate):
        """Only `openssl ca` can set the dates."""
        (self.folder / "index").write_text("")
        (self.folder / "serial").write_text("77\n")
        (self.folder / "ca.cnf").write_text(f"[ca]\ndefault_ca = own\n[own]\ndatabase = {self.folder}/index\nserial = {self.folder}/serial\n"
                                            f"new_certs_dir = {self.folder}\ndefault_md = sha256\npolicy = any\n[any]\ncommonName = supplied\n")
        openssl("ca", "-batch", "-config", self.folder / "ca.cnf", "-cert", self.certificate, "-keyfile", self.key, "-in", request,
                "-out", certificate, "-notext", "-extfile", extensions, "-startdate", "20200101000000Z", "-enddate", "20200201000000Z")
