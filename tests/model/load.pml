/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * load.pml: a load puts anchors without a condition, while tuples move from one key to another. anchor.pml has the rules of
 * loads, and move.pml those of moves; this is how they meet.
 *
 * In the code: the load is core/write/checked-load.c, and SETTLE is kvsql_checked_settle_all () of checked-settle.c.
 *
 * Two keys, 1 and 2. The tuple 1 is at key 1 at first; an INSERT or load of writer w makes the tuple w + 2. An anchor has
 * versions by timestamp T: state, tuple, token. Each anchor owns one address, cell[k], which another schema holds.
 *
 * A load reads the anchor (the base), which must be cleared or absent, puts a version without a condition (blind), and reads
 * again: the newest version, the payload of the newest CAS, and those of blind versions (see anchor.pml). Under a blind
 * version that is not cleared there may be a newer CAS than its base:
 *   - a MOVE that is not decided. A writer that meets it decides it, if the other key still has the version that the move expects.
 *     Otherwise nothing is left to do: the newest version has replaced the moving tuple in any case;
 *   - a tuple that has arrived. Its old key must leave MOVE before this key is written or cleared, as without a load.
 * A MOVE looks for its token in the newest CAS of the other key: a load may have covered it.
 *
 * Switches: NW writers, OPS their operations (1 and 2 load at 1 and 2, 4 and 8 DELETE at 1 and 2, 16 move 1-2, 32 move 2-1,
 * 64 and 128 INSERT ON CONFLICT DO NOTHING at 1 and 2; OPS0, OPS1 and OPS2 those of one writer), NREC unreliable recoverers,
 * LOST, LATE, KEEP as in anchor.pml.
 * Rules that can be switched off: BR_LEFTMOVE (a covered MOVE is not decided), BR_LEFTSOURCE (the old key of a covered
 * arrival stays in MOVE), BR_TOPTOKEN (a MOVE looks for its token in the newest version only).
 */
#ifndef NW
#define NW 2
#endif
#ifndef NREC
#define NREC 0
#endif
#ifndef OPS
#define OPS 255
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
#ifndef KEEP
#define KEEP 4
#endif
#ifndef TRIES
#define TRIES 2
#endif
#define NA (NW + NREC)
#ifndef MAXT
#define MAXT 26
#endif
#define CLEAN 1
#define PEND 2
#define MOVE 3
#define DONE 1
#define REFUSED 2

#define X(k,t) (((k)-1)*MAXT+(t))
#define OTHER(k) (3-(k))
#define VIS(k) (cP[k] > cM[k])
#define WRITER(tok) (((tok)-1) % NW)

byte top[3];
/* of each version: state, tuple, token of the operation, token of the version that it replaced, 1 + base of a load, what a
 * MOVE expects at the other key */
byte vSt[2*MAXT], vV[2*MAXT], vTok[2*MAXT], vPrev[2*MAXT], vBase[2*MAXT], vET[2*MAXT], vES[2*MAXT];
bool vArr[2*MAXT], vGone[2*MAXT];                                   /* it has arrived by a move; its payload is deleted */
byte cP[3], cM[3], cV[3];                              /* the cells: newest put, newest marker, the put tuple */
bool lg[NW], gone[NW];
byte lgK[NW];                                          /* the keys of the log row: bits 1 and 2 */
#ifdef LATE
byte lK[NW], lT[NW], lT0[NW], lS0[NW], lSt[NW], lV[NW], lTok[NW], lPrev[NW], lBase[NW], lET[NW], lES[NW]; int lKnown[NW];
#define ISLATE(w) lK[w]
#else
#define ISLATE(w) 0
#endif
byte kind[NW], result[NW], before[NW];
byte applied[NW];

#define ST(k) vSt[X(k,top[k])]
#define V(k) vV[X(k,top[k])]
#define TOK(k) vTok[X(k,top[k])]
#define AT(k,t,s) (top[k] == (t) && ST(k) == (s))

inline put(k,t,x) { if :: t >= cP[k] -> cP[k] = t; cV[k] = x :: else -> skip fi }
inline mark(k,t) { if :: t > cM[k] -> cM[k] = t :: else -> skip fi }

inline store(k,t,st,v,tok,prev,base,et,es,arr) {
    vSt[X(k,t)] = st; vV[X(k,t)] = v; vTok[X(k,t)] = tok; vPrev[X(k,t)] = prev; vBase[X(k,t)] = base;
    vET[X(k,t)] = et; vES[X(k,t)] = es; vArr[X(k,t)] = arr;
    if :: t > top[k] -> top[k] = t :: else -> skip fi
}

/* n = how many versions are newer than t. Uses i. */
inline newer(k,t) {
    n = 0; i = top[k];
    do
    :: i > t -> if :: vSt[X(k,i)] -> n++ :: else -> skip fi; i--
    :: else -> break
    od;
    i = 0
}

/* i = the newest CAS of k. */
inline newestCas(k) {
    i = top[k];
    do :: i > 0 && (!vSt[X(k,i)] || vBase[X(k,i)]) -> i-- :: else -> break od
}

/* c = the token is that of the newest CAS. Uses i. */
inline look(k,wanted) {
#ifdef BR_TOPTOKEN
    i = top[k];
#else
    newestCas(k);
#endif
    c = (i > 0 && vTok[X(k,i)] == wanted);
    i = 0
}

#ifdef BR_LEFTMOVE
#define COVERED 0
#else
#define COVERED AT(OTHER(k),vET[X(k,i)],vES[X(k,i)])
#endif
#ifdef BR_LEFTSOURCE
#define COVERS (i == top[k])
#else
#define COVERS 1
#endif
/* The move that keeps others waiting at k: rk and rt = key and T of the MOVE; rk 0: there is none. Uses i. */
inline needs(k) {
    rk = 0; rt = 0;
    newestCas(k);
    if
    :: i && ST(k) != CLEAN && i >= vBase[X(k,top[k])] && (vSt[X(k,i)] == MOVE && (i == top[k] || COVERED)) -> rk = k; rt = i
    :: else ->
        if
        :: i && ST(k) != CLEAN && i >= vBase[X(k,top[k])] && vArr[X(k,i)] && COVERS && ST(OTHER(k)) == MOVE && TOK(OTHER(k)) == vTok[X(k,i)] ->
            rk = OTHER(k); rt = top[rk]
        :: else -> skip
        fi
    fi;
    i = 0
}

/* The blind versions whose payload the next CAS of k deletes. known: bits of T. Uses i and n. */
inline toDelete(k) {
    newestCas(k);
    n = i + 1; known = 0;
    do
    :: n <= top[k] -> if :: vSt[X(k,n)] && vBase[X(k,n)] && !vGone[X(k,n)] -> known = known | (1 << n) :: else -> skip fi; n++
    :: else -> break
    od;
    i = 0; n = 0
}
inline deleteKnown(k) {
    i = 0;
    do
    :: i < MAXT -> if :: known & (1 << i) -> vGone[X(k,i)] = 1 :: else -> skip fi; i++
    :: else -> break
    od;
    i = 0; known = 0
}

/* A T of this actor after t. */
inline next(t,actor) {
    T = t + 1;
    do :: T % NA != actor -> T++ :: else -> break od
}

/* Decides the move of version rt of rk, and ends it if it is the newest version. c: it is moved. Goes to out if it cannot. */
#define SETTLE(actor) \
    atomic { tok2 = vTok[X(rk,rt)]; em = vET[X(rk,rt)]; es = vES[X(rk,rt)] } \
    do \
    :: atomic { look(OTHER(rk),tok2); \
           if \
           :: c -> break \
           :: !c && AT(OTHER(rk),em,es) -> \
               next(top[OTHER(rk)],actor); \
               if :: T >= MAXT -> goto out :: else -> skip fi; \
               toDelete(OTHER(rk)); deleteKnown(OTHER(rk)); \
               store(OTHER(rk),T,PEND,vV[X(rk,rt)],tok2,TOK(OTHER(rk)),0,0,0,1); applied[WRITER(tok2)]++ \
           :: !c && !AT(OTHER(rk),em,es) -> break \
           fi } \
    :: goto out \
    od; \
    if \
    :: atomic { top[rk] == rt && vSt[X(rk,rt)] == MOVE -> \
           next(rt,actor); \
           if :: T >= MAXT -> goto out :: else -> skip fi; \
           store(rk,T,PEND,(1-c)*vV[X(rk,rt)],tok2,tok2,0,0,0,0) } \
    :: atomic { top[rk] != rt -> skip } \
    :: goto out \
    fi; \
    atomic { tok2 = 0; em = 0; es = 0; rk = 0; rt = 0; T = 0 }

/* The cells of a version. */
#define CELLS(k,t,x) \
    if \
    :: atomic { (x) -> put(k,t,x) } \
    :: atomic { !(x) -> mark(k,(t)-1) } \
    :: goto out \
    fi
/* Without a condition. */
#define CLEAR(k,t) if :: atomic { vSt[X(k,t)] == PEND -> vSt[X(k,t)] = CLEAN } :: skip fi

proctype W(byte id) {
    byte k, T0, S0, Tk0, TO, SO, VO, tok, tok2, T, M, x, em, es, tries, rk, rt, mine, i, n; int known; bool c, move, load;
    atomic {
        if
        :: MAY(1) -> kind[id] = 1; k = 1; load = 1
        :: MAY(2) -> kind[id] = 2; k = 2; load = 1
        :: MAY(4) -> kind[id] = 3; k = 1
        :: MAY(8) -> kind[id] = 4; k = 2
        :: MAY(16) -> kind[id] = 5; k = 1; move = 1
        :: MAY(32) -> kind[id] = 6; k = 2; move = 1
        :: MAY(64) -> kind[id] = 7; k = 1
        :: MAY(128) -> kind[id] = 8; k = 2
        fi;
        lgK[id] = (move -> 6 : (1<<k));
        i = 0;
        do
        :: i < NW -> if :: result[i] -> before[id] = before[id] | (1<<i) :: else -> skip fi; i++
        :: else -> break
        od;
        i = 0
    }
again:
    lg[id] = 1;
    atomic {
        if :: tries >= TRIES -> goto out :: else -> tries++ fi;
        tok = 1 + id + NW * tries;
        if :: move -> needs(OTHER(k)) :: else -> skip fi;
        TO = top[OTHER(k)]; SO = ST(OTHER(k)); VO = V(OTHER(k));
        if :: rk -> goto settle :: else -> skip fi
    }
    atomic {
        needs(k);
        if :: rk -> goto settle :: else -> skip fi;
        T0 = top[k]; S0 = ST(k); Tk0 = TOK(k);
        if
        :: kind[id] >= 7 && V(k) -> goto refuse
        :: kind[id] >= 3 && kind[id] <= 6 && !V(k) -> goto refuse
        :: move && VO && V(k) -> goto refuse
        :: else -> skip
        fi;
        x = (move -> V(k) : ((kind[id] == 3 || kind[id] == 4) -> 0 : id + 2));
        VO = 0;
        toDelete(k);
        if :: mine -> known = known | (1 << mine) :: else -> skip fi;
        next(T0,id);
        M = T; T = 0;
        if :: M >= MAXT -> goto out :: else -> skip fi;
        if :: S0 == PEND -> load = 0 :: else -> skip fi;
        if :: load -> goto blind :: else -> skip fi
    }
cas:
#define APPLY deleteKnown(k); store(k,M,PEND+move,x,tok,Tk0,0,move*TO,move*SO,0); \
        if :: !move -> applied[id]++ :: else -> skip fi
    if
    :: atomic { AT(k,T0,S0) -> APPLY; goto won }
    :: atomic { !AT(k,T0,S0) -> skip }
#ifdef LOST
    :: atomic { AT(k,T0,S0) -> APPLY }
    :: skip
#endif
#ifdef LATE
    :: atomic { !lK[id] -> lK[id] = k; lT[id] = M; lT0[id] = T0; lS0[id] = S0; lSt[id] = PEND+move; lV[id] = x; lTok[id] = tok; lPrev[id] = Tk0; lET[id] = move*TO; lES[id] = move*SO; lKnown[id] = known }
#endif
    :: goto out
    fi;
    atomic {                                           /* "false", or no answer: is my token there? */
        newer(k,M);
        if
        :: vTok[X(k,M)] == tok && n < KEEP -> n = 0; goto won
        :: vTok[X(k,M)] != tok && AT(k,T0,S0) && tries < TRIES -> n = 0; tries++; goto cas
        :: vTok[X(k,M)] != tok && AT(k,T0,S0) && tries >= TRIES -> goto out
        :: vTok[X(k,M)] != tok && !AT(k,T0,S0) && n < KEEP -> n = 0; goto again
        :: n >= KEEP -> goto out
        fi
    }
blind:
    if
    :: atomic { 1 -> store(k,M,PEND,x,tok,Tk0,T0+1,0,0,0); if :: top[k] == M -> applied[id]++ :: else -> skip fi }
#ifdef LATE
    :: atomic { !lK[id] -> lK[id] = k; lT[id] = M; lT0[id] = T0; lSt[id] = PEND; lV[id] = x; lTok[id] = tok; lPrev[id] = Tk0; lBase[id] = T0 + 1 }
#endif
    :: goto out
    fi;
readback:
    atomic {                                           /* read the anchor again */
        if :: vTok[X(k,M)] != tok -> goto out :: else -> skip fi;
        if
        :: top[k] == M ->
            needs(k);
            if :: rk -> goto settle :: else -> goto write fi
        :: else -> skip
        fi;
        load = 0;
        if
        :: vGone[X(k,M)] || vBase[X(k,top[k])] -> result[id] = DONE; lg[id] = 0; goto out
        :: else -> mine = M; goto again
        fi
    }
won:
    if :: move -> skip :: else -> goto write fi;
    atomic { rk = k; rt = M }
settle:
    c = 0;
    SETTLE(id);
    if
    :: !M || vTok[X(k,M)] != tok -> goto again
    :: M && vTok[X(k,M)] == tok && load -> goto readback
    :: else -> skip
    fi;
    /* what became of my move? */
    atomic {
        look(OTHER(k),tok);
        if
        :: c -> goto both
        :: !c && ST(k) == MOVE && TOK(k) == tok -> rk = k; rt = M; goto settle
        :: !c && TOK(k) == tok && V(k) -> goto both
        :: else -> skip
        fi;
        goto out                                       /* a load has covered it: unknown */
    }
write:
    CELLS(k,M,x);
    atomic { result[id] = DONE }
    CLEAR(k,M);
    lg[id] = 0;
    goto out;
both:
    atomic { S0 = c; c = 0; T0 = k; TO = 0 }           /* S0: moved */
    do
    :: atomic { TO < 2 -> needs(T0);
           if
           :: rk -> skip
           :: else -> em = (ST(T0) == PEND -> top[T0] : 0); es = V(T0)
           fi };
       if
       :: rk -> SETTLE(id)
       :: !rk && em -> CELLS(T0,em,es); CLEAR(T0,em); atomic { em = 0; es = 0; T0 = OTHER(T0); TO++ }
       :: !rk && !em -> atomic { es = 0; T0 = OTHER(T0); TO++ }
       fi
    :: TO == 2 -> break
    od;
    if
    :: atomic { S0 -> result[id] = DONE; lg[id] = 0 }
    :: atomic { !S0 -> S0 = 0; goto again }
    fi;
    goto out;
refuse:
    result[id] = REFUSED;
out:
    atomic { gone[id] = 1; k = 0; T0 = 0; S0 = 0; Tk0 = 0; TO = 0; SO = 0; VO = 0; tok = 0; tok2 = 0; T = 0; M = 0; x = 0; em = 0; es = 0;
             tries = 0; rk = 0; rt = 0; mine = 0; i = 0; n = 0; known = 0; c = 0; move = 0; load = 0 }
}

/* A recoverer: one round on one log row, at any time; it may stop anywhere. */
proctype R(byte me) {
    byte w, k, T, tok2, em, es, rk, rt, i, n; int known; bool c, fin;
    if
    :: atomic { lg[0] -> w = 0 }
    :: atomic { lg[1] -> w = 1 }
#if NW > 2
    :: atomic { lg[2] -> w = 2 }
#endif
    :: goto out
    fi;
    atomic { fin = gone[w] && !ISLATE(w); k = 1 }
    /* twice: a tuple may arrive at a key that was read before, from one that is read after it */
    do
    :: atomic { k <= 4 && (lgK[w] & (1 << (1 + (k - 1) % 2))) -> needs(1 + (k - 1) % 2);
           if
           :: rk -> skip
           :: else -> em = (ST(1 + (k - 1) % 2) == PEND -> top[1 + (k - 1) % 2] : 0); es = V(1 + (k - 1) % 2)
           fi };
       if
       :: rk -> SETTLE(NW + me)
       :: !rk && em -> CELLS(1 + (k - 1) % 2,em,es); CLEAR(1 + (k - 1) % 2,em); atomic { em = 0; es = 0; k++ }
       :: !rk && !em -> atomic { es = 0; k++ }
       fi
    :: atomic { k <= 4 && !(lgK[w] & (1 << (1 + (k - 1) % 2))) -> k++ }
    :: atomic { k > 4 -> break }
    od;
    if :: fin -> lg[w] = 0 :: goto out fi;
out:
    atomic { w = 0; k = 0; T = 0; tok2 = 0; em = 0; es = 0; rk = 0; rt = 0; i = 0; n = 0; known = 0; c = 0; fin = 0 }
}

#if NW > 2
#define ALLGONE (gone[0] && gone[1] && gone[2])
#else
#define ALLGONE (gone[0] && gone[1])
#endif
#ifdef LATE
proctype Net(byte j) {
    byte i; int known;
end:
    do
    :: d_step { lK[j] ->
           if
           :: lBase[j] || AT(lK[j],lT0[j],lS0[j]) ->
               known = lKnown[j]; deleteKnown(lK[j]);
               store(lK[j],lT[j],lSt[j],lV[j],lTok[j],lPrev[j],lBase[j],lET[j],lES[j],0);
               if :: lSt[j] == PEND && top[lK[j]] == lT[j] -> applied[j]++ :: else -> skip fi
           :: else -> skip
           fi;
           lK[j] = 0; lT[j] = 0; lT0[j] = 0; lS0[j] = 0; lSt[j] = 0; lV[j] = 0; lTok[j] = 0; lPrev[j] = 0; lBase[j] = 0; lET[j] = 0; lES[j] = 0; lKnown[j] = 0 }
    :: atomic { ALLGONE && !lK[j] -> break }
    od
}
#endif

/* Is there an order of the operations that explains the results and the last tuples? As in anchor.pml. A move that was
 * refused may have read its two keys at two times: it is left out. */
c_code {
#define TUPLE(k) now.vV[((k) - 1) * MAXT + now.top[k]]

static int
follows (int one, int two, int used)
{
  int i;

  for (i = 0; i < NW; i++)
    if (!(used & (1 << i)) && now.result[i] != 0)
      break;
  if (i == NW && one == TUPLE (1) && two == TUPLE (2))
    return 1;
  for (i = 0; i < NW; i++)
    {
      int after[3] = { 0, one, two }, is_refused = 0, k = now.kind[i] % 2 == 0 ? 2 : 1;

      if ((used & (1 << i)) || (now.before[i] & ~used))
        continue;
      switch ((now.kind[i] + 1) / 2)
        {
        case 1: after[k] = i + 2; break;
        case 2: is_refused = after[k] == 0; after[k] = 0; break;
        case 3:
          is_refused = after[k] == 0 || after[3 - k] != 0;
          if (now.result[i] == 2)
            is_refused = 1;
          else if (!is_refused)
            {
              after[3 - k] = after[k];
              after[k] = 0;
            }
          break;
        case 4: is_refused = after[k] != 0; if (!is_refused) after[k] = i + 2; break;
        }
      if (now.result[i] == 0 && is_refused)
        continue;
      if (now.result[i] != 0 && (now.result[i] == 2) != is_refused)
        continue;
      if (follows (after[1], after[2], used | (1 << i)))
        return 1;
    }
  return 0;
}
}

byte k, i, n, rk, rt, T, tok2, em, es, round;
bool c;
init {
    atomic {
        top[1] = 1; vSt[X(1,1)] = CLEAN; vV[X(1,1)] = 1; vTok[X(1,1)] = 99; cP[1] = 1; cV[1] = 1;
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
    /* the last sweep, of the keys in log rows */
    atomic {
        n = 0;
        k = (lg[0]*lgK[0]) | (lg[1]*lgK[1]);
#if NW > 2
        k = k | (lg[2]*lgK[2]);
#endif
        do
        :: round < 4 && (k & (1 << (1 + round % 2))) ->
            needs(1 + round % 2);
            if
            :: rk ->
                look(OTHER(rk),vTok[X(rk,rt)]);
                if
                :: !c && AT(OTHER(rk),vET[X(rk,rt)],vES[X(rk,rt)]) ->
                    em = top[OTHER(rk)] + 1;
                    store(OTHER(rk),em,PEND,vV[X(rk,rt)],vTok[X(rk,rt)],TOK(OTHER(rk)),0,0,0,1); c = 1
                :: else -> skip
                fi;
                if
                :: top[rk] == rt -> em = rt + 1; store(rk,em,PEND,(1-c)*vV[X(rk,rt)],vTok[X(rk,rt)],vTok[X(rk,rt)],0,0,0,0)
                :: else -> skip
                fi;
                em = 0; c = 0
            :: else ->
                em = 1 + round % 2;
                if
                :: ST(em) == PEND && V(em) -> put(em,top[em],V(em))
                :: ST(em) == PEND && !V(em) -> mark(em,top[em]-1)
                :: else -> skip
                fi;
                em = 0; round++
            fi
        :: round < 4 && !(k & (1 << (1 + round % 2))) -> round++
        :: else -> break
        od;
        k = 0; round = 0
    }
    d_step {
        assert(ST(1) != MOVE && ST(2) != MOVE);
        assert(VIS(1) == (V(1) > 0)); assert(VIS(2) == (V(2) > 0));
        assert(!VIS(1) || (cV[1] == V(1) && cP[1] == top[1])); assert(!VIS(2) || (cV[2] == V(2) && cP[2] == top[2]));
        assert(!V(1) || V(1) != V(2));
        assert(applied[0] <= 1 && applied[1] <= 1 && applied[NW-1] <= 1);
        assert(c_expr { follows (1, 0, 0) })
    }
}
