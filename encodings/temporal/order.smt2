; Order of points in integer difference logic: the constraints of premises and claims.
; Source: EventHopNLI, section 3; docs/eventhop.md, section "Meaning". Allen 1983, figure 2.
; Input   an integer start_E and end_E for each event E; sentence N of a premise as
;             (assert (! (before end_0 start_1) :named rN))   and each duration axiom as
;             (assert (! (lasts start_0 end_0) :named lasts_0))
; Output  macros only: a premise is consistent iff its assertions are satisfiable, and a consistent
;         premise entails a claim iff it is not satisfiable together with the claim's negation.
; Size    one atom a relation, and two more literals for each relation with a guard.
(set-logic QF_IDL)

; "P before Q" orders two points strictly, "P simultaneous with Q" makes them coincide: as two
; inequalities, because an equation would involve the congruence closure as well.
(define-fun precedes ((p Int) (q Int)) Bool (< p q))
(define-fun coincides ((p Int) (q Int)) Bool (and (<= p q) (<= q p)))

; The five orders of a premise. "P after Q" is the converse of "Q before P", "P not before Q" that of
; "Q not after P".
(define-fun before ((p Int) (q Int)) Bool (precedes p q))
(define-fun after ((p Int) (q Int)) Bool (precedes q p))
(define-fun simultaneous ((p Int) (q Int)) Bool (coincides p q))
(define-fun not_after ((p Int) (q Int)) Bool (<= p q))
(define-fun not_before ((p Int) (q Int)) Bool (<= q p))

; Duration axiom: an event starts before it ends.
(define-fun lasts ((start Int) (end Int)) Bool (precedes start end))

; Relaxation weakens < to <=. The relaxed premise is always satisfiable; a constraint that cannot hold
; together with it is on a cycle, whose points coincide.
(define-fun precedes_or_coincides ((p Int) (q Int)) Bool (<= p q))
(define-fun before_relaxed ((p Int) (q Int)) Bool (precedes_or_coincides p q))
(define-fun after_relaxed ((p Int) (q Int)) Bool (precedes_or_coincides q p))
(define-fun simultaneous_relaxed ((p Int) (q Int)) Bool (coincides p q))
(define-fun not_after_relaxed ((p Int) (q Int)) Bool (not_after p q))
(define-fun not_before_relaxed ((p Int) (q Int)) Bool (not_before p q))
(define-fun lasts_relaxed ((start Int) (end Int)) Bool (precedes_or_coincides start end))

; A constraint with a guard holds if the guard is assumed true.
(define-fun guarded ((guard Bool) (relation Bool)) Bool (=> guard relation))
; Two points contradict each other if both must coincide with a point of one cycle.
(define-fun not_both_at ((cycle Int) (p Int) (q Int)) Bool
  (not (and (coincides p cycle) (coincides q cycle))))

; The claims of EventHopNLI. Meeting counts as before; events overlap if each starts before the other
; ends.
(define-fun claim_before ((a_start Int) (a_end Int) (b_start Int) (b_end Int)) Bool
  (precedes_or_coincides a_end b_start))
(define-fun claim_after ((a_start Int) (a_end Int) (b_start Int) (b_end Int)) Bool
  (claim_before b_start b_end a_start a_end))
(define-fun claim_overlaps ((a_start Int) (a_end Int) (b_start Int) (b_end Int)) Bool
  (and (precedes a_start b_end) (precedes b_start a_end)))

; Allen's thirteen relations, as comparisons of end points given the duration axioms.
(define-fun allen_precedes ((a_start Int) (a_end Int) (b_start Int) (b_end Int)) Bool
  (precedes a_end b_start))
(define-fun allen_meets ((a_start Int) (a_end Int) (b_start Int) (b_end Int)) Bool
  (coincides a_end b_start))
(define-fun allen_overlaps ((a_start Int) (a_end Int) (b_start Int) (b_end Int)) Bool
  (and (precedes a_start b_start) (precedes b_start a_end) (precedes a_end b_end)))
(define-fun allen_finished_by ((a_start Int) (a_end Int) (b_start Int) (b_end Int)) Bool
  (and (precedes a_start b_start) (coincides a_end b_end)))
(define-fun allen_contains ((a_start Int) (a_end Int) (b_start Int) (b_end Int)) Bool
  (and (precedes a_start b_start) (precedes b_end a_end)))
(define-fun allen_starts ((a_start Int) (a_end Int) (b_start Int) (b_end Int)) Bool
  (and (coincides a_start b_start) (precedes a_end b_end)))
(define-fun allen_equals ((a_start Int) (a_end Int) (b_start Int) (b_end Int)) Bool
  (and (coincides a_start b_start) (coincides a_end b_end)))

; The other six are the converses.
(define-fun allen_started_by ((a_start Int) (a_end Int) (b_start Int) (b_end Int)) Bool
  (allen_starts b_start b_end a_start a_end))
(define-fun allen_during ((a_start Int) (a_end Int) (b_start Int) (b_end Int)) Bool
  (allen_contains b_start b_end a_start a_end))
(define-fun allen_finishes ((a_start Int) (a_end Int) (b_start Int) (b_end Int)) Bool
  (allen_finished_by b_start b_end a_start a_end))
(define-fun allen_overlapped_by ((a_start Int) (a_end Int) (b_start Int) (b_end Int)) Bool
  (allen_overlaps b_start b_end a_start a_end))
(define-fun allen_met_by ((a_start Int) (a_end Int) (b_start Int) (b_end Int)) Bool
  (allen_meets b_start b_end a_start a_end))
(define-fun allen_preceded_by ((a_start Int) (a_end Int) (b_start Int) (b_end Int)) Bool
  (allen_precedes b_start b_end a_start a_end))
