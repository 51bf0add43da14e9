; Bounds and free times: what a time may be, as macros over numbers.
; Source: docs/calendar.md, sections "Bounds" and "Free times".
; Input   the values of steps as terms; the time t as an integer k times the grain, or as a real
; Output  macros only: a claim is entailed iff no time fits the premise and not the claim, and
;         contradicted iff none fits both; a time is free iff no entry has a minute in common with it.
; Size    a few atoms a side or entry.
(set-logic QF_LIRA)

(define-fun at ((t Real) (low Real) (high Real)) Bool (and (<= low t) (<= t high)))
(define-fun before ((t Real) (low Real) (high Real)) Bool (< t low))
(define-fun after ((t Real) (low Real) (high Real)) Bool (> t high))

; A time in whole grains.
(define-fun whole ((t Real) (k Int) (grain Int)) Bool (= t (to_real (* grain k))))

; Minute m is in the time from minute a up to minute b.
(define-fun within ((m Int) (a Int) (b Int)) Bool (and (<= a m) (< m b)))
