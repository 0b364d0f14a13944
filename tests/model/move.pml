/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * move.pml: an UPDATE that changes the KEY moves a tuple from the anchor of one key to that of another.
 *
 * In the code: the UPDATE is kvsql_checked_move () of core/write/checked-move.c, RESOLVE is kvsql_checked_settle () of
 * checked-settle.c, R () is kvsql_checked_finish () of checked-write.c. The token is the T of the moving version, and a
 * version has a T of its own writer.
 *
 * Two keys, 1 and 2. The tuple 1 is at key 1 at first; an INSERT of writer w makes the tuple w + 2. An anchor has a version
 * (T, St), and V, the tuple that is there, or 0. Each anchor owns one address, cell[k], which another schema holds.
 *
 * The move from k to o:
 *   1. CAS of anchor k: MOVE, with the version of anchor o, which has no tuple. The tuple is still at k.
 *   2. CAS of anchor o from exactly that version: PEND, with the tuple. This decides: the tuple is at o.
 *   3. The cells of anchor o, so that a scan finds the tuple at o before it is gone at k.
 *   4. CAS of anchor k: PEND without a tuple; or, if anchor o has another version, PEND with the tuple: taken back.
 *   5. The cells of k.
 * A writer that meets MOVE does 2 to 4 before anything else with either key. So no writer replaces the moved-in anchor o
 * before anchor k has left MOVE: its token says whether step 2 has happened.
 *
 * With REMOVE, a remover deletes the anchor of a key without a tuple, as in anchor.pml. A move may expect that there is no
 * anchor. So it must have left the log before the anchor of a later tuple is removed, and all that may still settle it must
 * have ended since: otherwise what it expects, and what others have found to be gone, comes back.
 *
 * Switches: NW writers, OPS their operations (1 move 1-2, 2 move 2-1, 4 and 8 insert at 1 and 2, 16 and 32 delete at 1 and
 * 2; OPS0, OPS1 and OPS2 those of one writer), NREC unreliable recoverers, LOST (a CAS has no answer, or a wrong "false"),
 * LATE (one arrives after its writer gave up), REMOVE, LEFT (writer 0 has left a move 1-2 that is not decided, and there was a tuple at 2 since).
 * Rules that can be switched off: BR_OVERWRITE (a moved-in anchor is replaced before the other key has left MOVE),
 * BR_NOHELP (step 2 is left to the mover: another writer that meets MOVE takes it back), BR_NOD (the log row is removed at
 * the first look), BR_PUTBACK (taking back does not write the cell again), BR_LATEARRIVAL (step 3 is left out), BR_EARLYLOG (the writer removes its log row
 * before the cells), BR_NOGRACE (the remover does not wait), BR_LOGGED (it does not wait for log rows), BR_ONCE (it
 * does not wait again after that), BR_BLINDCLEAR (a recoverer clears the anchor of a key without a tuple without a condition).
 */
#ifndef NW
#define NW 2
#endif
#ifndef NREC
#define NREC 1
#endif
#ifndef OPS
#define OPS 63
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
#ifndef TRIES
#define TRIES 3
#endif
#define CLEAN 1
#define PEND 2
#define MOVE 3

byte aT[3], aSt[3], aV[3], aTok[3], aPrev[3], mT[3], mS[3];  /* the anchors; mT, mS: expected at the other key */
byte cP[3], cM[3], cV[3];                                    /* the cells: newest put, newest marker, the put tuple */
bool lg[NW], gone[NW];
#ifdef LATE
byte lK[NW], lT[NW], lS[NW], lV[NW], lSt[NW], lTok[NW], lMT[NW], lMS[NW];  /* a late CAS of anchor lK; 0: none */
#define ISLATE(w) lK[w]
#else
#define ISLATE(w) 0
#endif
#ifdef REMOVE
byte past[3], waits[3];            /* the newest removed T; what ran when the newest version came */
bool begun[NW], recovers[2], isDamaged;
#ifdef BR_LOGGED
#define LOGGED(w) 0
#else
#define LOGGED(w) lg[w]
#endif
#define RUNS(w) (begun[w] && (!gone[w] || ISLATE(w) || LOGGED(w)))
#if NW > 2
#define RUNNING (RUNS(0) | (RUNS(1) << 1) | (RUNS(2) << 2) | (recovers[0] << 3) | (recovers[1] << 4))
#else
#define RUNNING (RUNS(0) | (RUNS(1) << 1) | (recovers[0] << 3) | (recovers[1] << 4))
#endif
#define NEXT(k) aT[k] = (aT[k] > past[k] -> aT[k] : past[k]) + 1; waits[k] = RUNNING
#define BEGINS(is) is = 1
#define ENDS(is) is = 0
#else
#define NEXT(k) aT[k]++
#define BEGINS(is) skip
#define ENDS(is) skip
#endif
byte applied[NW];
bool acked[NW], refused[NW], isDeleted[6];

#define OTHER(k) (3-(k))
#define VIS(k) (cP[k] > cM[k])
#define AT(k,t,s) (aT[k] == (t) && aSt[k] == (s))
#define WRITER(tok) (((tok)-1) % NW)

inline put(k,t,x) { if :: t >= cP[k] -> cP[k] = t; cV[k] = x :: else -> skip fi }
inline mark(k,t) { if :: t > cM[k] -> cM[k] = t :: else -> skip fi }

/* The effect of a CAS that matched. */
inline change(k,st,x,tok,mt,ms) {
    aPrev[k] = (aTok[k] == tok -> aPrev[k] : aTok[k]);
    NEXT(k); aSt[k] = st; aTok[k] = tok; mT[k] = mt; mS[k] = ms;
    aV[k] = x
}
inline commit(o,x,tok) { change(o,PEND,x,tok,0,0); applied[WRITER(tok)]++ }

#ifdef LOST
#define LOSTAPPLIED(match,effect) :: atomic { match -> effect }
#define LOSTCALL :: skip
#else
#define LOSTAPPLIED(match,effect)
#define LOSTCALL
#endif

/* Steps 2 and 3 for anchor k, whose content was read: t, tok, x, and the version that is expected at the other key. */
#ifdef BR_NOHELP
#define MAYHELP mine
#else
#define MAYHELP 1
#endif
#ifdef BR_LATEARRIVAL
#define ARRIVE(o,token,tuple)
#else
#define ARRIVE(o,token,tuple) \
    if \
    :: atomic { c && aTok[o] == token && aSt[o] == PEND -> at = aT[o] } \
    :: atomic { !(c && aTok[o] == token && aSt[o] == PEND) -> at = 0 } \
    fi; \
    if \
    :: atomic { at -> put(o,at,tuple) } \
    :: atomic { !at -> skip } \
    :: goto out \
    fi;
#endif
#define RESOLVE(k) \
    do \
    :: atomic { aTok[OTHER(k)] == tok -> c = 1; break } \
    :: atomic { aTok[OTHER(k)] != tok && (!AT(OTHER(k),em,es) || !(MAYHELP)) -> c = 0; break } \
    :: atomic { aTok[OTHER(k)] != tok && AT(OTHER(k),em,es) && (MAYHELP) -> commit(OTHER(k),x,tok) } \
    :: goto out \
    od; \
    ARRIVE(OTHER(k),tok,x) \
    if \
    :: atomic { AT(k,t,MOVE) && c -> assert(VIS(OTHER(k)) && cV[OTHER(k)] == x); change(k,PEND,0,tok,0,0) } \
    :: atomic { AT(k,t,MOVE) && !c -> change(k,PEND,x,tok,0,0) } \
    :: atomic { !AT(k,t,MOVE) -> skip } \
    :: goto out \
    fi

/* The cells of anchor k, as it is now. */
#ifdef BR_PUTBACK
#define CELLS(k) \
    if \
    :: atomic { aSt[k] == PEND && aV[k] && cP[k] -> skip } \
    :: atomic { aSt[k] == PEND && aV[k] && !cP[k] -> t = aT[k]; x = aV[k]; c = 1 } \
    :: atomic { aSt[k] == PEND && !aV[k] -> t = aT[k]; x = 0; c = 1 } \
    :: atomic { aSt[k] != PEND -> c = 0; t = 0 } \
    fi;
#else
#define CELLS(k) \
    if \
    :: atomic { aSt[k] == PEND -> t = aT[k]; x = aV[k]; c = 1 } \
    :: atomic { aSt[k] != PEND -> c = 0; t = 0 } \
    fi;
#endif
#define WRITECELLS(k) \
    CELLS(k) \
    if \
    :: atomic { c && x -> put(k,t,x) } \
    :: atomic { c && !x -> mark(k,t-1) } \
    :: atomic { !c -> skip } \
    :: goto out \
    fi
/* A request that clears without a condition brings the state of a removed anchor back, without its payload. */
#if defined(REMOVE) && defined(BR_BLINDCLEAR)
#define CLEARREMOVED(k) :: atomic { c && !aT[k] && past[k] >= t -> isDamaged = 1 }
#else
#define CLEARREMOVED(k)
#endif
/* Lazily. A moved-in anchor keeps its state while the other key is in MOVE. */
#define CLEARED(k) \
    if \
    :: atomic { c && AT(k,t,PEND) && !(aSt[OTHER(k)] == MOVE && aTok[OTHER(k)] == aTok[k]) -> aSt[k] = CLEAN } \
    CLEARREMOVED(k) \
    :: skip \
    fi

proctype W(byte id) {
    byte op, k, T0, S0, Tk0, TO, SO, VO, tok, t, x, em, es, at, tries, rk; bool c, mine, move, isUnknown;
    if
    :: MAY(1) -> op = 1; k = 1; move = 1
    :: MAY(2) -> op = 2; k = 2; move = 1
    :: MAY(4) -> op = 3; k = 1
    :: MAY(8) -> op = 3; k = 2
    :: MAY(16) -> op = 4; k = 1
    :: MAY(32) -> op = 4; k = 2
    fi;
again:
    lg[id] = 1;
    atomic {
        BEGINS(begun[id]);
        mine = 0; rk = 0;
        if :: tries >= TRIES -> goto giveUp :: else -> tries++ fi;
        tok = 1 + id + NW * tries;
        TO = aT[OTHER(k)]; SO = aSt[OTHER(k)]; VO = aV[OTHER(k)];
        if :: move && SO == MOVE -> rk = OTHER(k); goto resolve :: else -> skip fi
    }
    atomic {
        T0 = aT[k]; S0 = aSt[k]; Tk0 = aTok[k];
        if
        :: S0 == MOVE -> rk = k
#ifndef BR_OVERWRITE
        :: S0 != MOVE && aSt[OTHER(k)] == MOVE && aTok[OTHER(k)] == aTok[k] -> rk = OTHER(k)
#endif
        :: else -> skip
        fi;
        if
        :: rk -> goto resolve
        :: !rk && ((op == 3) == (aV[k] > 0)) -> goto refuse
        :: !rk && move && VO && aV[k] -> goto refuse     /* a tuple with the new key exists */
        :: else -> skip
        fi;
        VO = 0;
        x = (move -> aV[k] : (op == 3 -> id+2 : 0))
    }
cas:
    if
    :: atomic { AT(k,T0,S0) && move -> change(k,MOVE,aV[k],tok,TO,SO); goto won }
    :: atomic { AT(k,T0,S0) && !move -> if :: op == 4 -> isDeleted[aV[k]] = 1 :: else -> skip fi; change(k,PEND,x,tok,0,0); applied[id]++; goto won }
    :: atomic { !AT(k,T0,S0) -> skip }
#ifdef LOST
    :: atomic { AT(k,T0,S0) && move -> change(k,MOVE,aV[k],tok,TO,SO) }
    :: atomic { AT(k,T0,S0) && !move -> if :: op == 4 -> isDeleted[aV[k]] = 1 :: else -> skip fi; change(k,PEND,x,tok,0,0); applied[id]++ }
    :: skip
#endif
#ifdef LATE
    :: atomic { !lK[id] -> lK[id] = k; lT[id] = T0; lS[id] = S0; lV[id] = (move -> aV[k] : x); lSt[id] = (move -> MOVE : PEND); lTok[id] = tok; lMT[id] = TO; lMS[id] = SO }
#endif
    :: goto out
    fi;
    /* "false", or no answer: what is there now? */
    if
    :: atomic { aTok[k] == tok -> goto won }
    :: atomic { aTok[k] != tok && AT(k,T0,S0) && tries < TRIES -> tries++; goto cas }   /* the same CAS, with the same token */
    :: atomic { aTok[k] != tok && AT(k,T0,S0) && tries >= TRIES -> isUnknown = 1; goto giveUp }
    :: atomic { aTok[k] != tok && aT[k] == T0 && aSt[k] != S0 -> goto again }           /* cleared: that CAS never matches */
    :: atomic { aTok[k] != tok && aT[k] != T0 && aPrev[k] == Tk0 && aTok[OTHER(k)] != tok -> goto again }  /* another one won */
    :: atomic { aTok[k] != tok && aT[k] != T0 && aPrev[k] != Tk0 -> isUnknown = 1; goto giveUp }
    :: goto out
    fi;
won:
    if :: move -> rk = k; mine = 1; goto resolve :: else -> goto cells fi;

resolve:
    atomic {
        if :: aSt[rk] != MOVE -> goto resolved :: else -> skip fi;
        t = aT[rk]; x = aV[rk]; em = mT[rk]; es = mS[rk];
        if :: mine && aTok[rk] != tok -> goto resolved :: else -> skip fi;
        Tk0 = tok; tok = aTok[rk]
    }
    RESOLVE(rk);
    tok = Tk0;
resolved:
    if :: !mine -> goto again :: else -> skip fi;
    /* what became of my move? */
    if
    :: atomic { aTok[OTHER(k)] == tok -> skip }
    :: atomic { aTok[OTHER(k)] != tok && aTok[k] == tok && aSt[k] == MOVE -> goto resolve }
    :: atomic { aTok[OTHER(k)] != tok && aTok[k] == tok && aSt[k] != MOVE && !aV[k] -> skip }
    :: atomic { aTok[OTHER(k)] != tok && aTok[k] == tok && aSt[k] != MOVE && aV[k] -> isUnknown = 0; goto tookBack }
    :: atomic { aTok[OTHER(k)] != tok && aTok[k] != tok && aPrev[OTHER(k)] == tok -> skip }
    :: atomic { aTok[OTHER(k)] != tok && aTok[k] != tok && aPrev[OTHER(k)] != tok -> isUnknown = 1; goto giveUp }
    fi;
cells:
#ifdef BR_EARLYLOG
    lg[id] = 0;
#endif
    WRITECELLS(k);
    CLEARED(k);
    if
    :: atomic { move && aTok[OTHER(k)] == tok -> t = aT[OTHER(k)]; c = 1 }; CLEARED(OTHER(k))   /* its cells are there */
    :: atomic { move && aTok[OTHER(k)] != tok -> skip }; WRITECELLS(OTHER(k)); CLEARED(OTHER(k))
    :: else -> skip
    fi;
    /* my cells may be those of a later writer by now, who has a log row of its own */
    acked[id] = 1;
    lg[id] = 0;
    goto out;
tookBack:
    WRITECELLS(k);
    goto again;
refuse:
    refused[id] = 1;
    goto out;                       /* the log row stays: it may be of an attempt that was taken back */
giveUp:
    skip;
out:
    atomic { gone[id] = 1; op = 0; k = 0; T0 = 0; S0 = 0; Tk0 = 0; TO = 0; SO = 0; tok = 0; t = 0; x = 0; em = 0; es = 0; at = 0;
             tries = 0; rk = 0; c = 0; mine = 0; move = 0; isUnknown = 0 }
}

/* A recoverer: one round on one log row, at any time; it may stop anywhere. */
proctype R(byte me) {
    byte w, k, t, x, em, es, at, tok; bool c, fin, mine;
    if
    :: atomic { lg[0] -> w = 0 }
    :: atomic { lg[1] -> w = 1 }
#if NW > 2
    :: atomic { lg[2] -> w = 2 }
#endif
    :: goto out
    fi;
    atomic {
        BEGINS(recovers[me]);
#ifdef BR_NOD
        fin = 1;
#else
        fin = gone[w] && !ISLATE(w);
#endif
        k = 1
    }
    do
    :: atomic { k <= 2 && aSt[k] == MOVE -> t = aT[k]; x = aV[k]; em = mT[k]; es = mS[k]; tok = aTok[k] };
       RESOLVE(k); k++
    :: atomic { k <= 2 && aSt[k] != MOVE -> k++ }
    :: atomic { k > 2 -> break }
    od;
    k = 1;
    do
    :: k <= 2 -> WRITECELLS(k); CLEARED(k); k++
    :: k > 2 -> break
    od;
    if :: fin -> lg[w] = 0 :: goto out fi;
out:
    atomic { ENDS(recovers[me]); w = 0; k = 0; t = 0; x = 0; em = 0; es = 0; at = 0; tok = 0; c = 0; fin = 0; mine = 0 }
}

#ifdef REMOVE
#ifdef BR_NOGRACE
#define ISOLD(k) 1
#else
#define ISOLD(k) ((waits[k] & RUNNING) == 0)
#endif
#if defined(BR_NOGRACE) || defined(BR_ONCE)
#define ENDED 1
#else
#define ENDED ((since & RUNNING) == 0)
#endif

/* HBase forgets a marker with what it hides. It may stop anywhere. */
proctype Remover() {
    byte k, T, since;
    if
    :: atomic { aT[1] && ISOLD(1) -> k = 1; T = aT[1]; since = RUNNING }
    :: atomic { aT[2] && ISOLD(2) -> k = 2; T = aT[2]; since = RUNNING }
    :: goto out
    fi;
    if
    :: atomic { ENDED && AT(k,T,CLEAN) && !aV[k] -> skip }
    :: goto out
    fi;
    if
    :: atomic { AT(k,T,CLEAN) ->
           past[k] = T; aT[k] = 0; aSt[k] = 0; aTok[k] = 0; aPrev[k] = 0; mT[k] = 0; mS[k] = 0;
           if
           :: cP[k] <= cM[k] -> cP[k] = 0; cM[k] = 0; cV[k] = 0
           :: skip
           fi }
    :: atomic { !AT(k,T,CLEAN) -> skip }
    fi;
out:
    atomic { k = 0; T = 0; since = 0 }
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
proctype Net(byte i) {
end:
    do
    :: d_step { lK[i] ->
           if
           :: AT(lK[i],lT[i],lS[i]) ->
               if :: lSt[i] == PEND -> applied[i]++; if :: !lV[i] -> isDeleted[aV[lK[i]]] = 1 :: else -> skip fi :: else -> skip fi;
               change(lK[i],lSt[i],lV[i],lTok[i],lMT[i],lMS[i])
           :: else -> skip
           fi;
           lK[i] = 0; lT[i] = 0; lS[i] = 0; lV[i] = 0; lSt[i] = 0; lTok[i] = 0; lMT[i] = 0; lMS[i] = 0 }
    :: atomic { ALLGONE && !lK[i] -> break }
    od
}
#endif

byte k;
init {
    atomic {
        aT[1] = 1; aSt[1] = CLEAN; aV[1] = 1; aTok[1] = 99; cP[1] = 1; cV[1] = 1;
#ifdef REMOVE
        run Remover();
#if REMOVE > 1
        run Remover();
#endif
#endif
#ifdef LEFT
        aT[1] = 2; aSt[1] = MOVE; aTok[1] = 1 + NW; aPrev[1] = 99;
        lg[0] = 1; gone[0] = 1; BEGINS(begun[0]);
        change(2,CLEAN,0,98,0,0); change(2,CLEAN,0,98,0,0);
#else
        run W(0);
#endif
        run W(1);
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
        :: ANYLOG ->
            k = 1;
            do
            :: k <= 2 && aSt[k] == MOVE ->
                if :: aTok[OTHER(k)] != aTok[k] && AT(OTHER(k),mT[k],mS[k]) -> commit(OTHER(k),aV[k],aTok[k]) :: else -> skip fi;
                if
                :: aTok[OTHER(k)] == aTok[k] -> change(k,PEND,0,aTok[k],0,0)
                :: else -> change(k,PEND,aV[k],aTok[k],0,0)
                fi;
                k++
            :: k <= 2 && aSt[k] != MOVE -> k++
            :: k > 2 -> break
            od;
            k = 1;
            do
            :: k <= 2 && aSt[k] == PEND && aV[k] -> put(k,aT[k],aV[k]); k++
            :: k <= 2 && aSt[k] == PEND && !aV[k] -> mark(k,aT[k]-1); k++
            :: k <= 2 && aSt[k] != PEND -> k++
            :: k > 2 -> break
            od
        :: else -> skip
        fi;
        k = 0;
#ifdef REMOVE
        assert(!isDamaged);
#endif
        assert(aSt[1] != MOVE && aSt[2] != MOVE);
        /* each schema shows what the anchors say */
        assert(VIS(1) == (aV[1] > 0)); assert(VIS(2) == (aV[2] > 0));
        assert(!VIS(1) || cV[1] == aV[1]); assert(!VIS(2) || cV[2] == aV[2]);
        /* no tuple is lost or at two keys */
        assert(!aV[1] || aV[1] != aV[2]);
        assert(isDeleted[1] || aV[1] == 1 || aV[2] == 1);
        /* once, if acknowledged; never, if refused */
        assert(applied[0] <= 1 && applied[1] <= 1 && applied[NW-1] <= 1);
        assert(!acked[0] || applied[0] == 1); assert(!acked[1] || applied[1] == 1); assert(!acked[NW-1] || applied[NW-1] == 1);
        assert(!refused[0] || !applied[0]); assert(!refused[1] || !applied[1]); assert(!refused[NW-1] || !applied[NW-1])
    }
}
