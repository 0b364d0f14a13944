/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * blind.pml: writes of whole tuples whose addresses depend on the KEY alone. Nothing is read, and nothing is compared.
 *
 * In the code: W () is kvsql_blind_apply (), R () is kvsql_blind_finish (), both in core/write/blind-write.c. The log row is
 * core/write/blind-intent.c. That a recoverer removes it at once is handle_entry () in daemon/recovery/recovery.c. T is
 * kvsql_storage_next_timestamp () in core/write/timestamps.c. OVER () is kvsql_storage_forgets_deletes () there, with the
 * families that kvsqld makes.
 *
 * One tuple in two schemas. A writer puts its value in both, or deletes both, at its T. T is unique (T mod NW is the writer),
 * and a writer that begins after an acknowledgement gets a later T: kvsql waits for the common clock before it writes.
 *
 *   1. Log row: T, and the whole tuple or that it is deleted.
 *   2. Both schemas, in any order, at T.
 *   3. Acknowledge, remove the log row.
 * A recoverer repeats step 2 for a log row that it finds, at any time, and removes the log row, without waiting for anything:
 * however often the cells are written at T, the result is the same.
 *
 * Switches: NW writers, NREC unreliable recoverers, LATE (a request arrives after its writer gave it up), LATELOG (also that
 * of the log row: the writer says "unknown" and writes nothing), COMPACT (HBase may
 * drop a delete marker, when no request and no log row at or before its time is left), NOORDER (T of later writes may be
 * smaller: only the agreement of the schemas is checked).
 * Rules that can be switched off: BR_KEYSONLY (the log row has no tuple: a recoverer copies what schema 0 has), BR_EARLYLOG
 * (the log row is removed before the second schema is written), BR_NOLOG, BR_TIES (two writers may have the same T),
 * BR_CLOCKS (T does not follow real time), BR_MARKERS (markers are dropped at any time), BR_LOSTLOG (they are dropped while a
 * log row is on its way: in the code a daemon would forget an intent whose answer it has lost).
 */
#ifndef NW
#define NW 2
#endif
#ifndef NREC
#define NREC 1
#endif

byte p[2], v[2], m[2];                   /* of each schema: newest put, its value, newest marker */
bool lg[NW], gone[NW];
byte iT[NW], iV[NW];                     /* the log rows */
byte clock, ackT;
byte late[NW];                           /* bits: schemas to which a request is under way, 4: the log */
byte busy[NREC + 1];                     /* T that a recoverer writes; 0: none */

#define VIS(s) (p[s] > m[s])
#define TOP(s) (p[s] > m[s] -> p[s] : m[s])

inline write(s,t,x) {
    if
    :: x && t >= p[s] -> p[s] = t; v[s] = x
    :: !x && t > m[s] -> m[s] = t
    :: else -> skip
    fi
}

#ifdef LATE
#define MAYBELATE(s) :: atomic { (todo & (1<<s)) -> late[id] = late[id] | (1<<s); goto out }
#else
#define MAYBELATE(s)
#endif

proctype W(byte id) {
    byte T, x, todo, floor;
    atomic {
        if :: x = id + 1 :: x = 0 fi;
        floor = ackT;
#ifdef BR_CLOCKS
        if :: T = NW + id :: T = 2 * NW + id :: T = 3 * NW + id fi;
#else
        clock++; T = clock * NW + id;
#endif
#ifdef BR_TIES
        T = (T / NW) * NW;
#endif
        iT[id] = T; iV[id] = x; todo = 3
    }
#ifndef BR_NOLOG
#ifdef LATELOG
    if
    :: lg[id] = 1
    :: atomic { late[id] = 4; goto out }
    fi;
#else
    lg[id] = 1;
#endif
#endif
    do
    :: atomic { (todo & 1) -> write(0,T,x); todo = todo & 2 }
    :: atomic { (todo & 2) -> write(1,T,x); todo = todo & 1
#ifdef BR_EARLYLOG
       ; lg[id] = 0
#endif
       }
    MAYBELATE(0)
    MAYBELATE(1)
    :: atomic { !todo -> ackT = (T > ackT -> T : ackT); 
#ifndef NOORDER
       assert(T > floor);
#endif
       break }
    :: goto out
    od;
    lg[id] = 0;
out:
    atomic { gone[id] = 1; T = 0; x = 0; todo = 0; floor = 0 }
}

/* One round on one log row; it may stop anywhere. */
proctype R(byte me) {
    byte w, T, x, todo;
    if
    :: atomic { lg[0] -> w = 0; T = iT[0]; x = iV[0]; todo = 3; busy[me] = T }
    :: atomic { lg[1] -> w = 1; T = iT[1]; x = iV[1]; todo = 3; busy[me] = T }
#if NW > 2
    :: atomic { lg[2] -> w = 2; T = iT[2]; x = iV[2]; todo = 3; busy[me] = T }
#endif
    :: goto out
    fi;
#ifdef BR_KEYSONLY
    atomic { todo = (TOP(0) >= T -> 2 : 0); x = (VIS(0) -> v[0] : 0); T = TOP(0) }
#endif
    do
    :: atomic { (todo & 1) -> write(0,T,x); todo = todo & 2 }
    :: atomic { (todo & 2) -> write(1,T,x); todo = todo & 1 }
    :: !todo -> break
    :: goto out
    od;
    lg[w] = 0;
out:
    atomic { busy[me] = 0; w = 0; T = 0; x = 0; todo = 0 }
}

#if NW > 2
#define ALLGONE (gone[0] && gone[1] && gone[2])
#define ALL(f) (f(0) && f(1) && f(2))
#else
#define ALLGONE (gone[0] && gone[1])
#define ALL(f) (f(0) && f(1))
#endif
#ifdef LATE
proctype Net(byte i) {
end:
    do
    :: atomic { (late[i] & 1) -> write(0,iT[i],iV[i]); late[i] = late[i] & 6 }
    :: atomic { (late[i] & 2) -> write(1,iT[i],iV[i]); late[i] = late[i] & 5 }
#ifdef LATELOG
    :: atomic { (late[i] & 4) -> lg[i] = 1; late[i] = late[i] & 3 }
#endif
    :: atomic { ALLGONE && !late[i] -> break }
    od
}
#endif

#ifdef COMPACT
byte mark;                               /* of the marker that is to be dropped */
#ifdef BR_MARKERS
#define MAYDROP 1
#else
/* The grace of a marker is longer than any request or log row of its time, or of an earlier one, can last. */
#ifdef BR_LOSTLOG
#define ISLATE(i) (late[i] & 3)
#else
#define ISLATE(i) late[i]
#endif
#define OVER(i) (!iT[i] || iT[i] > mark || (gone[i] && !lg[i] && !ISLATE(i)))
#define UNUSED(r) (!busy[r] || busy[r] > mark)
#if NREC > 1
#define MAYDROP (ALL(OVER) && UNUSED(0) && UNUSED(1))
#else
#define MAYDROP (ALL(OVER) && UNUSED(0))
#endif
#endif
#define DROP(s) \
    :: atomic { m[s] -> mark = m[s]; \
        if \
        :: MAYDROP -> if :: p[s] <= m[s] -> p[s] = 0; v[s] = 0 :: else -> skip fi; m[s] = 0 \
        :: else -> skip \
        fi; \
        mark = 0 }

proctype Compact() {
    do
    DROP(0)
    DROP(1)
    :: atomic { ALLGONE -> break }
    od
}
#endif

init {
    atomic {
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
#ifdef COMPACT
        run Compact();
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
        if :: lg[0] -> write(0,iT[0],iV[0]); write(1,iT[0],iV[0]) :: else -> skip fi;
        if :: lg[1] -> write(0,iT[1],iV[1]); write(1,iT[1],iV[1]) :: else -> skip fi;
#if NW > 2
        if :: lg[2] -> write(0,iT[2],iV[2]); write(1,iT[2],iV[2]) :: else -> skip fi;
#endif
        /* the schemas agree, and nothing acknowledged is lost */
        assert(VIS(0) == VIS(1)); assert(!VIS(0) || (p[0] == p[1] && v[0] == v[1]));
        assert(!VIS(0) || p[0] >= ackT);
#ifndef COMPACT
        assert(TOP(0) >= ackT && TOP(1) >= ackT)
#endif
        skip
    }
}
