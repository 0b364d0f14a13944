/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * filling.pml: a schema is added to a relation whose writes are decided by anchors, while daemons write.
 *
 * One tuple, 1 or 2, which is also its address in the new schema; 0: there is none. Its anchor is as in anchor.pml. Epoch 0
 * does not know the schema, 1 only deletes there ("deleting"), 2 writes it ("building"). A statement keeps the epoch with
 * which it began.
 *
 *   1. DEFINE goes from one epoch to the next when no statement of an older epoch is left, and no request of one can arrive.
 *   2. Then a backfill reads the anchor's tuple and puts it at the anchor's T. Several may do so.
 *   3. DEFINE waits for recoverers, too, until their lease is over. A recoverer whose lease is over clears no anchor and
 *      removes no log row: its epoch may be old.
 *
 * In the code: W () is kvsql_checked_apply (), with the epoch that kvsqld_definitions_enter () gives; CALLS are
 * kvsql_checked_add_cells (), where the state of the schema decides. R () is kvsql_checked_finish () in
 * daemon/recovery/recovery.c, and its lease is looked at by kvsql_checked_write_cells () and remove_entry (). Define () is
 * kvsqld_backfill_begin () and await_all_daemons () in daemon/backfill, and AWAIT is kvsqld_old_writes_await (). Back () is
 * kvsql_backfill_chunk () with kvsql_checked_read_current ().
 *
 * Switches: NW writers, NREC unreliable recoverers, NBACK backfills (the first is reliable), LATE (a request arrives after
 * its writer gave it up).
 * Rules that can be switched off: BR_NODELETING (epoch 0 is followed by 2), BR_NOWAIT (DEFINE does not wait for daemons that
 * it believes dead), BR_EARLYFILL (the backfill does not wait for epoch 2), BR_NEWT (it puts at a new T), BR_OLDCLEAR (a
 * recoverer clears and removes although its lease is over), BR_NORECWAIT (DEFINE does not wait for a recoverer, whose lease
 * goes on).
 */
#ifndef NW
#define NW 2
#endif
#ifndef NREC
#define NREC 1
#endif
#ifndef NBACK
#define NBACK 1
#endif
#define CLEAN 1
#define PEND 2
#define BIT(v) ((v) -> (1<<(v)) : 0)

byte aT = 1, aSt = CLEAN, aV, aOld;      /* the anchor; aOld: bits of older tuples */
byte p[3], m[3];                         /* the new schema, by address: newest put, newest marker */
byte epoch;
bool lg[NW], gone[NW], canFill;
byte used[NW];                           /* epoch of the statement + 1; 0: it is over */
byte usedR;                              /* the same of the recoverer */
bool isLost;                             /* its lease is over */
#ifdef LATE
byte lateT[NW], lateV[NW], lateD[NW], lateE[NW];  /* a request: put lateV, or delete the address lateD, at lateT; its epoch + 1 */
#define PENDING(w,e) (lateE[w] && lateE[w] < (e) + 1)
#else
#define PENDING(w,e) 0
#endif

inline put(a,t) { if :: t >= p[a] -> p[a] = t :: else -> skip fi }
inline mark(a,t) { if :: t > m[a] -> m[a] = t :: else -> skip fi }

/* What epoch e does for the tuple v and the older ones o. 1: put v; 2 and 4: delete. With epoch 1 the tuple itself is deleted,
 * too. */
#define TODO(v,o,e) ((e) == 0 -> 0 : ((e) == 1 -> ((o) | BIT(v)) & 6 : ((v) -> 1 : 0) | ((o) & ~BIT(v) & 6)))
#define CALLS \
    :: d_step { (todo & 1) -> put(v,T); todo = todo & 6 } \
    :: d_step { (todo & 2) && !(todo & 1) -> mark(1,T-1); todo = todo & 5 } \
    :: d_step { (todo & 4) && !(todo & 1) -> mark(2,T-1); todo = todo & 3 }
#ifdef LATE
#define GIVEUP \
    :: atomic { (todo & 1) -> lateT[id] = T; lateV[id] = v; lateE[id] = e + 1; goto out } \
    :: atomic { (todo & 2) && !(todo & 1) -> lateT[id] = T; lateD[id] = 1; lateE[id] = e + 1; goto out } \
    :: atomic { (todo & 4) && !(todo & 1) -> lateT[id] = T; lateD[id] = 2; lateE[id] = e + 1; goto out }
#else
#define GIVEUP
#endif

proctype W(byte id) {
    byte e, T0, S0, T, v, o, todo;
    atomic { e = epoch; used[id] = e + 1; lg[id] = 1 };
    atomic {
        if :: v = 1 :: v = 2 :: v = 0 fi;
        if :: !v && !aV -> lg[id] = 0; goto out :: else -> skip fi;
        T0 = aT; S0 = aSt; T = T0 + 1;
        o = (S0 == PEND -> aOld : 0) | BIT(aV)
    }
    if
    :: atomic { aT == T0 && aSt == S0 -> aT = T; aSt = PEND; aV = v; aOld = o }
    :: atomic { aT != T0 || aSt != S0 -> lg[id] = 0; goto out }      /* another attempt is another writer */
    :: goto out
    fi;
    atomic { todo = TODO(v,o,e) }
    do
    CALLS
    GIVEUP
    :: !todo -> break
    :: goto out
    od;
    if :: atomic { aT == T && aSt == PEND -> aSt = CLEAN; aOld = 0 } :: skip fi;
    lg[id] = 0;
out:
    atomic { used[id] = 0; gone[id] = 1; e = 0; T0 = 0; S0 = 0; T = 0; v = 0; o = 0; todo = 0 }
}

#ifdef BR_OLDCLEAR
#define MAYCLEAR 1
#else
#define MAYCLEAR (!isLost)
#endif
/* One round on one log row; it may stop anywhere. */
proctype R() {
    byte w, e, T, v, o, todo; bool fin, pend;
    if
    :: atomic { lg[0] -> w = 0 }
    :: atomic { lg[1] -> w = 1 }
#if NW > 2
    :: atomic { lg[2] -> w = 2 }
#endif
    :: goto out
    fi;
    atomic { e = epoch; usedR = e + 1 };
    atomic {
        fin = gone[w] && !PENDING(w,9);
        T = aT; v = aV; o = aOld; pend = (aSt == PEND);
        if :: pend -> todo = TODO(v,o,e) :: else -> skip fi
    }
    do
    CALLS
    :: !todo -> break
    :: goto out
    od;
    if :: atomic { pend && aT == T && aSt == PEND && MAYCLEAR -> aSt = CLEAN; aOld = 0 } :: else -> skip fi;
    if :: atomic { fin && MAYCLEAR -> lg[w] = 0 } :: else -> skip fi;
out:
    atomic { usedR = 0; w = 0; e = 0; T = 0; v = 0; o = 0; todo = 0; fin = 0; pend = 0 }
}

#if NW > 2
#define ALLGONE (gone[0] && gone[1] && gone[2])
#define ANYLOG (lg[0] || lg[1] || lg[2])
#define NONE(f) (!f(0) && !f(1) && !f(2))
#else
#define ALLGONE (gone[0] && gone[1])
#define ANYLOG (lg[0] || lg[1])
#define NONE(f) (!f(0) && !f(1))
#endif
#define OLD1(w) ((used[w] && used[w] < 2) || PENDING(w,1))
#define OLD2(w) ((used[w] && used[w] < 3) || PENDING(w,2))
#define OLDR(e) (usedR && usedR < (e) + 1 && !isLost)
#ifdef BR_NOWAIT
#define AWAIT(f,e) if :: NONE(f) -> skip :: skip fi
#else
#ifdef BR_NORECWAIT
#define AWAIT(f,e) NONE(f) -> skip
#else
/* The lease of a recoverer may be over at any time. It matters only while DEFINE waits for it. */
#define AWAIT(f,e) do :: NONE(f) && !OLDR(e) -> break :: OLDR(e) -> isLost = 1 od
#endif
#endif

proctype Define() {
#ifndef BR_NODELETING
    epoch = 1;
    AWAIT(OLD1,1);
#endif
    epoch = 2;
#ifndef BR_EARLYFILL
    AWAIT(OLD2,2);
#endif
    canFill = 1
}

proctype Back(bool isReliable) {
    byte T, v;
    canFill -> skip;
    atomic { T = aT; v = aV }
#ifdef BR_NEWT
    T = T + 1;
#endif
    if
    :: atomic { v -> put(v,T) }
    :: !v -> skip
    :: !isReliable -> skip
    fi;
    atomic { T = 0; v = 0 }
}

#ifdef LATE
proctype Net(byte i) {
end:
    do
    :: atomic { lateE[i] ->
           if :: lateV[i] -> put(lateV[i],lateT[i]) :: else -> mark(lateD[i],lateT[i]-1) fi;
           lateT[i] = 0; lateV[i] = 0; lateD[i] = 0; lateE[i] = 0 }
    :: atomic { ALLGONE && !lateE[i] -> break }
    od
}
#endif

#define VIS(a) (p[a] > m[a])
init {
    atomic {
        if :: aV = 1 :: aV = 0 fi;
        run W(0); run W(1);
#if NW > 2
        run W(2);
#endif
#if NREC > 0
        run R();
#endif
        run Define(); run Back(1);
#if NBACK > 1
        run Back(0);
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
        /* the last sweep */
        if
        :: ANYLOG && aSt == PEND ->
            if :: aV -> put(aV,aT) :: else -> skip fi;
            if :: (aOld & 2) && aV != 1 -> mark(1,aT-1) :: else -> skip fi;
            if :: (aOld & 4) && aV != 2 -> mark(2,aT-1) :: else -> skip fi
        :: else -> skip
        fi;
        /* the new schema has the anchor's tuple and no other */
        assert(VIS(1) == (aV == 1)); assert(VIS(2) == (aV == 2));
        assert(!VIS(1) || p[1] == aT); assert(!VIS(2) || p[2] == aT)
    }
}
