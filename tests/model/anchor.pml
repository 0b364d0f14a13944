/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * anchor.pml: writes of one tuple whose address in another schema depends on its value; checked writes, and the batched puts
 * of a load.
 *
 * In the code: a checked write of W () is kvsql_checked_read () and kvsql_checked_apply (), R () is
 * kvsql_checked_finish (), all in core/write/checked-write.c; lg is core/write/write-log.c. There
 * the token is T, as no two writes of a key have the same T. A load is
 * kvsql_checked_load () of core/write/checked-load.c.
 *
 * The tuple has the value 1 or 2, which is its address, too: sec[v]. 0 means that there is none. The anchor has versions,
 * by timestamp T. Each has a state, the value, a token, and the addresses of older tuples that may still have an entry. T is
 * unique: T mod NW is the writer.
 *
 * A checked write (CAS) of version T0 makes version T > T0, PEND. Then it puts the entry at T, deletes the older ones at T-1,
 * is acknowledged, and clears version T of the anchor. A writer that meets PEND takes over its addresses ("absorbs").
 *
 * A load reads the anchors of all its keys in one request (the base), puts versions without a condition in one request
 * (blind), and reads the anchors again in one request. The payload of a blind version is a cell of its own, so a reader sees
 * the newest version, the payload of the newest CAS, and the payloads of blind versions. A CAS deletes those of the blind
 * versions that it knew, if they are newer than the CAS before. So the load finds:
 *   - mine is the newest: go on as after a CAS. What is newer than the base is absorbed as well;
 *   - the payload of mine is gone: a CAS knew it, so mine was replaced, and is acknowledged;
 *   - it is there, and the newest version is blind: that has replaced mine at the latest;
 *   - it is there, and the newest version is a CAS: that did not know mine, which was never current. It is written again, as
 *     a checked write.
 * A writer that meets a blind version absorbs what is newer than its base, too.
 * After a lost answer, a writer looks for its token among all versions.
 *
 * With REMOVE, a remover deletes the anchor of a deleted tuple: version T, which is the newest one, CLEAN and without a
 * value. It waits until everything has ended that began before version T came (the grace): writers, their late requests and log
 * rows, recoverers. Then it waits until everything has ended that runs now (see move.pml). What began afterwards knows T, or that there is no anchor. The remover compares with version T, and deletes
 * at T: what is newer stays. HBase forgets the markers of these deletes at once, or keeps them, as it forgets those of the
 * entries. A recoverer may clear version T long after it came, so it clears the anchor of a deleted tuple by a CAS. In the
 * code: core/write/dead-anchors.c.
 *
 * Switches: NW writers, OPS their operations (1 and 2 load of 1 and 2, 4 and 8 checked INSERT of 1 and 2, 16 DELETE, 32
 * "UPDATE SET v = 2 WHERE v = 1", 64 SELECT, 128 INSERT of 1 ON CONFLICT DO NOTHING, 256 "DELETE WHERE v = 1"; OPS0,
 * OPS1 and OPS2 those of one writer), NREC unreliable recoverers, LOST (an answer is lost, or a wrong "false"), LATE
 * (a request arrives after its writer gave up), CLOCK (T may be further ahead), KEEP versions that HBase keeps,
 * REMOVE, NOCOMPARE (the remover does not compare, but deletes at T).
 * Rules that can be switched off: BR_NOBASE (a load does not read first), BR_NOREADBACK (nor afterwards), BR_BETWEEN (the
 * versions between base and load are not absorbed), BR_UNSEEN (a CAS that did not know mine counts as one that did),
 * BR_AGAIN (a load that another has replaced is written again), BR_STALE (a CAS also deletes payloads of blind versions that
 * are older than the CAS before), BR_TOPONLY (after a lost answer only the newest version is looked at), BR_NOABSORB,
 * BR_NAIVE ("false" means that another has won), BR_EARLYLOG, BR_NOD (as in move.pml), BR_NOGRACE (the remover does not
 * wait), BR_NOCOMPARE (it deletes the row, as it is then), BR_BLINDCLEAR (a
 * recoverer clears without a condition).
 */
#ifndef NW
#define NW 2
#endif
#ifndef NREC
#define NREC 1
#endif
#ifndef OPS
#define OPS 255
#endif
#ifndef KEEP
#define KEEP 3
#endif
#ifndef OPS0
#define OPS0 OPS
#endif
#ifndef OPS1
#define OPS1 OPS
#endif
#ifndef OPS2
#define OPS2 OPS
#endif
#define MAY(op) ((id == 0 && (OPS0 & (op))) || (id == 1 && (OPS1 & (op))) || (id == 2 && (OPS2 & (op))))
#define TRIES 2
#define MAXT 20
#define CLEAN 1
#define PEND 2
#define DONE 1
#define REFUSED 2

byte top;                                              /* the newest version; 0: there is none */
byte vSt[MAXT], vV[MAXT], vOld[MAXT], vTok[MAXT], vPrev[MAXT], vBase[MAXT]; /* vBase: + 1, of a blind version; 0: a CAS */
bool vGone[MAXT];                                      /* its payload is deleted */
byte cP[3], cM[3];                                     /* the entries: newest put, newest marker */
bool lg[NW], gone[NW];
#ifdef LATE
byte lT[NW], lT0[NW], lS0[NW], lV[NW], lOld[NW], lTok[NW], lPrev[NW], lBase[NW]; int lKnown[NW]; /* a late request; lT 0: none */
#define ISLATE(w) lT[w]
#else
#define ISLATE(w) 0
#endif
#ifdef REMOVE
byte past, newest, hides;      /* T of the newest removed version; the newest T of any; puts up to this T are invisible */
byte waits;                     /* what ran when the newest version came: bits of writers, then of recoverers */
bool recovers[2], isDamaged;
#endif
/* What clients saw: operation, result, value that was read, and who was done before it began; see explained(). */
byte kind[NW], result[NW], seen[NW], before[NW];
byte applied[NW];                                      /* how often its value became current */

#define VIS(v) (cP[v] > cM[v])
#define BIT(v) ((v) -> (1<<(v)) : 0)
#define WRITER(tok) (((tok)-1) % NW)

#if defined(BR_AGAIN)
#define WASREPLACED 0
#elif defined(BR_UNSEEN)
#define WASREPLACED 1
#else
#define WASREPLACED (vGone[T] || vBase[top])
#endif

inline put(v,t) { if :: t > cP[v] -> cP[v] = t :: else -> skip fi }
inline mark(v,t) { if :: t > cM[v] -> cM[v] = t :: else -> skip fi }

#ifdef REMOVE
#define RUNS(w) (kind[w] && (!gone[w] || ISLATE(w) || lg[w]))
#if NW > 2
#define RUNNING (RUNS(0) | (RUNS(1) << 1) | (RUNS(2) << 2) | (recovers[0] << 3) | (recovers[1] << 4))
#else
#define RUNNING (RUNS(0) | (RUNS(1) << 1) | (recovers[0] << 3) | (recovers[1] << 4))
#endif
#define ISHIDDEN(t) ((t) <= hides)
#define CAME waits = RUNNING
#define AFTER(t) ((t) > past -> (t) : past)
#define CHOSEN(t) if :: t > newest -> newest = t :: else -> skip fi
#else
#define ISHIDDEN(t) 0
#define CAME skip
#define AFTER(t) t
#define CHOSEN(t) skip
#endif

inline store(t,st,v,old,tok,prev,base) {
    if
    :: ISHIDDEN(t) -> skip
    :: else ->
        vSt[t] = st; vV[t] = v; vOld[t] = old; vTok[t] = tok; vPrev[t] = prev; vBase[t] = base;
        if :: t > top -> top = t; applied[WRITER(tok)]++; CAME :: else -> skip fi
    fi
}

/* n = how many versions are newer than t: the newest KEEP can be read. Uses i. */
inline newer(t) {
    n = 0; i = top;
    do
    :: i > t -> if :: vSt[i] -> n++ :: else -> skip fi; i--
    :: else -> break
    od;
    i = 0
}

/* i = the newest CAS; 0: there is none. */
inline newestCas() {
    i = top;
    do :: i > 0 && (!vSt[i] || vBase[i]) -> i-- :: else -> break od
}

/* o = the addresses that may have entries of tuples before version t, the newest one. Uses i and n. */
inline olds(t,o) {
    o = (vSt[t] == PEND -> vOld[t] : 0);
#ifndef BR_BETWEEN
    if
    :: vSt[t] == PEND && vBase[t] ->
        newestCas();
        if :: i >= vBase[t] -> o = o | vOld[i] | BIT(vV[i]) :: else -> skip fi;
        n = (i + 1 > vBase[t] -> i + 1 : vBase[t]);
        do
        :: n < t -> if :: vSt[n] && !vGone[n] -> o = o | vOld[n] | BIT(vV[n]) :: else -> skip fi; n++
        :: else -> break
        od;
        i = 0; n = 0
    :: else -> skip
    fi
#endif
}

/* known = bits of the blind versions whose payload the next CAS deletes. Uses i and n. */
inline toDelete() {
    newestCas();
#ifdef BR_STALE
    n = 1;
#else
    n = i + 1;
#endif
    known = 0;
    do
    :: n <= top -> if :: vSt[n] && vBase[n] && !vGone[n] -> known = known | (1 << n) :: else -> skip fi; n++
    :: else -> break
    od;
    i = 0; n = 0
}
inline deleteKnown() {
    i = 0;
    do
    :: i < MAXT -> if :: known & (1 << i) -> vGone[i] = 1 :: else -> skip fi; i++
    :: else -> break
    od;
    i = 0
}
inline todoOf(v,o) { todo = BIT(v) | ((o & ~BIT(v) & 6) << 3) }  /* 2, 4: put; 16, 32: delete */
#define CALLS \
    :: d_step { (todo & 6) -> put(v,T); todo = todo & 48 } \
    :: d_step { (todo & 16) && !(todo & 6) -> mark(1,T-1); todo = todo & 38 } \
    :: d_step { (todo & 32) && !(todo & 6) -> mark(2,T-1); todo = todo & 22 }
/* Without a condition: also if there is a newer version. If it was removed, its state comes back, without its payload. */
#ifdef REMOVE
#define CLEARREMOVED :: d_step { !vSt[T] && !ISHIDDEN(T) -> isDamaged = 1 }
#else
#define CLEARREMOVED
#endif
#define CLEAR(t) if :: d_step { vSt[t] == PEND -> vSt[t] = CLEAN; vOld[t] = 0 } CLEARREMOVED :: skip fi
#define CLEARIFSAME(t) if :: d_step { top == t && vSt[t] == PEND -> vSt[t] = CLEAN; vOld[t] = 0 } :: skip fi

/* A unique T after t. */
inline next(t) {
    T = AFTER(t) + 1;
    do :: T % NW != id -> T++ :: else -> break od
#ifdef CLOCK
    ; if :: T = T + NW :: skip fi
#endif
    ; CHOSEN(T)
}

proctype W(byte id) {
    byte T0, S0, tok0, tok, T, mine, v, o, todo, tries, i, n; int known; bool load;
    atomic {
        if
        :: MAY(1) -> kind[id] = 1; v = 1; load = 1
        :: MAY(2) -> kind[id] = 2; v = 2; load = 1
        :: MAY(4) -> kind[id] = 1; v = 1
        :: MAY(8) -> kind[id] = 2; v = 2
        :: MAY(16) -> kind[id] = 3
        :: MAY(32) -> kind[id] = 4; v = 2
        :: MAY(64) -> kind[id] = 5
        :: MAY(128) -> kind[id] = 6; v = 1
        :: MAY(256) -> kind[id] = 7
        fi;
        i = 0;
        do
        :: i < NW -> if :: result[i] -> before[id] = before[id] | (1<<i) :: else -> skip fi; i++
        :: else -> break
        od;
        i = 0
    }
    if
    :: atomic { kind[id] == 5 -> seen[id] = vV[top]; result[id] = DONE; goto out }
    :: kind[id] != 5 -> skip
    fi;
again:
    lg[id] = 1;
    atomic {                                           /* read the anchor */
        if :: tries >= TRIES -> goto out :: else -> tries++ fi;
        tok = 1 + id + NW * tries;
        T0 = top; S0 = vSt[top]; tok0 = vTok[top];
        if
        :: (kind[id] == 3 && !vV[top]) || (kind[id] == 4 && vV[top] != 1) || (kind[id] == 6 && vV[top]) || (kind[id] == 7 && vV[top] != 1) -> result[id] = REFUSED; lg[id] = 0; goto out
        :: else -> skip
        fi;
        olds(T0,o);
#ifdef BR_NOABSORB
        o = 0;
#endif
        o = o | BIT(vV[top]);
        toDelete();
        if :: mine -> known = known | (1 << mine) :: else -> skip fi;
#ifdef BR_NOBASE
        if :: load -> T0 = 0; S0 = 0; tok0 = 0; o = 0 :: else -> skip fi;
#endif
        next(T0);
        if :: T >= MAXT -> goto out :: else -> skip fi;
        if :: load -> goto blind :: else -> skip fi
    }
cas:
    if
    :: atomic { top == T0 && vSt[top] == S0 -> store(T,PEND,v,o,tok,tok0,0); deleteKnown(); goto won }
    :: atomic { top != T0 || vSt[top] != S0 -> skip }
#ifdef LOST
    :: atomic { top == T0 && vSt[top] == S0 -> store(T,PEND,v,o,tok,tok0,0); deleteKnown();
#ifdef BR_NAIVE
                goto again
#endif
              }
    :: skip
#endif
#ifdef LATE
    :: atomic { !lT[id] -> lT[id] = T; lT0[id] = T0; lS0[id] = S0; lV[id] = v; lOld[id] = o; lTok[id] = tok; lPrev[id] = tok0; lBase[id] = 0; lKnown[id] = known }
#endif
    :: goto out
    fi;
    atomic {                                           /* "false", or no answer: is my token there? */
        newer(T);
        if
        :: vTok[T] == tok && top == T -> n = 0; goto won
        :: vTok[T] != tok && top == T0 && vSt[top] == S0 && tries < TRIES -> n = 0; tries++; goto cas
        :: vTok[T] != tok && top == T0 && vSt[top] == S0 && tries >= TRIES -> goto out
#ifdef BR_TOPONLY
        :: top != T0 && top != T -> n = 0; goto again
        :: vTok[T] != tok && top == T0 && vSt[top] != S0 -> n = 0; goto again
#else
        :: vTok[T] == tok && top != T && n < KEEP -> n = 0; goto replaced
        :: n >= KEEP -> goto out                       /* its place is not readable any more: unknown */
        :: vTok[T] != tok && (top != T0 || vSt[top] != S0) && n < KEEP -> n = 0; goto again   /* it never matches any more */
#endif
        fi
    }
blind:
    if
    :: atomic { 1 -> store(T,PEND,v,o,tok,tok0,T0+1) }
#ifdef LATE
    :: atomic { !lT[id] -> lT[id] = T; lT0[id] = T0; lV[id] = v; lOld[id] = o; lTok[id] = tok; lPrev[id] = tok0; lBase[id] = T0+1 }
#endif
    :: goto out
    fi;
#ifdef BR_NOREADBACK
    goto won;
#endif
    atomic {                                           /* read the anchor again */
        if :: vTok[T] != tok -> goto out :: else -> skip fi;               /* no answer, and not there: unknown */
        if :: top == T -> olds(T,o); toDelete(); known = known & ~(1 << T); goto won :: else -> skip fi;
        load = 0; mine = T;
        if
        :: WASREPLACED -> goto replaced
        :: else -> goto again
        fi
    }
replaced:
    atomic { i = 0; n = 0; result[id] = DONE; lg[id] = 0; goto out }
won:
#ifdef BR_EARLYLOG
    lg[id] = 0;
#endif
    atomic { todoOf(v,o) }
    do
    CALLS
    :: atomic { todo == 0 -> result[id] = DONE; break }
    :: goto out
    od;
    if :: vBase[T] -> deleteKnown() :: skip fi;         /* with the clear, the payloads that it replaced */
    CLEAR(T);
    lg[id] = 0;
out:
    atomic { gone[id] = 1; T0 = 0; S0 = 0; tok0 = 0; tok = 0; T = 0; mine = 0; v = 0; o = 0; todo = 0; tries = 0; i = 0; n = 0; known = 0; load = 0 }
}

/* A recoverer: one round on one log row, at any time; it may stop anywhere. */
proctype R(byte me) {
    byte w, T, v, o, todo, i, n; bool fin, pend;
    if
    :: atomic { lg[0] -> w = 0 }
    :: atomic { lg[1] -> w = 1 }
#if NW > 2
    :: atomic { lg[2] -> w = 2 }
#endif
    :: goto out
    fi;
    atomic {
#ifdef BR_NOD
        fin = 1;
#else
        fin = gone[w] && !ISLATE(w);
#endif
        T = top; v = vV[top]; pend = (vSt[top] == PEND);
#ifdef REMOVE
        recovers[me] = 1;
#endif
        if :: pend -> olds(T,o); todoOf(v,o) :: else -> skip fi
    }
    do
    CALLS
    :: todo == 0 -> break
    :: goto out
    od;
#ifdef BR_BLINDCLEAR
    if :: pend -> CLEAR(T) :: else -> skip fi;
#else
    if :: pend && v -> CLEAR(T) :: pend && !v -> CLEARIFSAME(T) :: else -> skip fi;
#endif
    if :: fin -> lg[w] = 0 :: goto out fi;
out:
    atomic {
#ifdef REMOVE
        recovers[me] = 0;
#endif
        w = 0; T = 0; v = 0; o = 0; todo = 0; i = 0; n = 0; fin = 0; pend = 0 }
}

#ifdef REMOVE
#ifdef BR_NOGRACE
#define ISOLD 1
#define ENDED 1
#else
#define ISOLD ((waits & RUNNING) == 0)
#define ENDED ((since & RUNNING) == 0)
#endif
#if defined(BR_NOCOMPARE) || defined(NOCOMPARE)
#define ISSAME 1
#else
#define ISSAME (top == T && vSt[top] == CLEAN)
#endif

/* HBase forgets a marker with what it hides. */
inline forget(v) {
    if
    :: cM[v] >= T -> skip
    :: cM[v] < T -> if :: cP[v] <= cM[v] -> cP[v] = 0 :: else -> skip fi; cM[v] = 0
    fi
}

/* All cells of the row up to T. */
inline removeVersions() {
    i = 1;
    do
    :: i <= T -> vSt[i] = 0; vV[i] = 0; vOld[i] = 0; vTok[i] = 0; vPrev[i] = 0; vBase[i] = 0; vGone[i] = 0; i++
    :: else -> break
    od;
    if :: top <= T -> top = 0; past = T :: else -> skip fi;
    i = 0
}

/* It may stop anywhere. */
proctype Remover() {
    byte T, since, i;
    do
    :: atomic { top && ISOLD -> T = top; since = RUNNING };
       if
       :: atomic { ENDED && top == T && vSt[T] == CLEAN && !vV[T] -> skip }
       :: break
       fi;
       if
       :: atomic { ISSAME ->
#ifdef BR_NOCOMPARE
              T = newest;
#endif
              removeVersions();
#ifdef BR_NOCOMPARE
              hides = T
#else
              if :: T > hides -> hides = T :: skip fi;
              if :: forget(1); forget(2) :: skip fi
#endif
          }
       :: atomic { !ISSAME -> skip }
       :: break
       fi;
       T = 0; since = 0
    :: break
    od;
    T = 0; since = 0
}
#endif

#if NW > 2
#define ALLGONE (gone[0] && gone[1] && gone[2])
#define ANYLOG (lg[0] || lg[1] || lg[2])
#else
#define ALLGONE (gone[0] && gone[1])
#define ANYLOG (lg[0] || lg[1])
#endif
#ifdef LATE
proctype Net(byte j) {
byte i; int known;
end:
    do
    :: d_step { lT[j] ->
           if
           :: lBase[j] || (top == lT0[j] && vSt[top] == lS0[j]) ->
               store(lT[j],PEND,lV[j],lOld[j],lTok[j],lPrev[j],lBase[j]);
               known = lKnown[j]; deleteKnown(); known = 0
           :: else -> skip
           fi;
           lT[j] = 0; lT0[j] = 0; lS0[j] = 0; lV[j] = 0; lOld[j] = 0; lTok[j] = 0; lPrev[j] = 0; lBase[j] = 0; lKnown[j] = 0 }
    :: atomic { ALLGONE && !lT[j] -> break }
    od
}
#endif

/* Is there an order of the operations that explains all results and the last value? An operation without a result may be
 * left out. No operation comes before one that was done when it began. */
c_code {
static int
follows (int value, int used)
{
  int i;

  for (i = 0; i < NW; i++)
    if (!(used & (1 << i)) && now.result[i] != 0)
      break;
  if (i == NW && value == now.vV[now.top])
    return 1;
  for (i = 0; i < NW; i++)
    {
      int after = value, is_refused = 0;

      if ((used & (1 << i)) || (now.before[i] & ~used))
        continue;
      switch (now.kind[i])
        {
        case 1: after = 1; break;
        case 2: after = 2; break;
        case 3: after = 0; is_refused = value == 0; break;
        case 4: after = value == 1 ? 2 : value; is_refused = value != 1; break;
        case 6: after = value == 0 ? 1 : value; is_refused = value != 0; break;
        case 7: after = value == 1 ? 0 : value; is_refused = value != 1; break;
        case 5: if (now.seen[i] != value) continue; break;
        }
      if (now.result[i] == 0 && (now.kind[i] == 5 || is_refused))
        continue;
      if (now.result[i] != 0 && (now.result[i] == 2) != is_refused)
        continue;
      if (follows (after, used | (1 << i)))
        return 1;
    }
  return 0;
}

static int
explained (void)
{
  return follows (now.first, 0);
}
}

byte i, n, o, first;
init {
    atomic {
        if
        :: top = 1; vSt[1] = CLEAN; vV[1] = 1; vTok[1] = 99; cP[1] = 1; first = 1
        :: skip
#ifdef REMOVE
        :: top = 1; vSt[1] = CLEAN; vTok[1] = 99
#endif
        fi;
#ifdef REMOVE
        newest = top;
        run Remover();
#endif
        run W(0); run W(1);
#if NW > 2
        run W(2);
#endif
#if NREC > 0
        run R(0);
#endif
#if NREC > 1
        run R(1);
#endif
#ifdef LATE
        run Net(0); run Net(1);
#if NW > 2
        run Net(2);
#endif
#endif
    }
    _nr_pr == 1;
    d_step {
        /* the last sweep, if there is a log row */
        if
        :: ANYLOG && vSt[top] == PEND ->
            olds(top,o);
            if :: vV[top] -> put(vV[top],top) :: else -> skip fi;
            if :: (o & 2) && vV[top] != 1 -> mark(1,top-1) :: else -> skip fi;
            if :: (o & 4) && vV[top] != 2 -> mark(2,top-1) :: else -> skip fi;
            o = 0
        :: else -> skip
        fi;
#ifdef REMOVE
        assert(!isDamaged);
#endif
        /* the other schema shows what the anchor says */
        assert(VIS(1) == (vV[top] == 1)); assert(VIS(2) == (vV[top] == 2));
        assert(!VIS(1) || cP[1] == top); assert(!VIS(2) || cP[2] == top);
        assert(applied[0] <= 1 && applied[1] <= 1 && applied[NW-1] <= 1);
        assert(c_expr { explained () })
    }
}
