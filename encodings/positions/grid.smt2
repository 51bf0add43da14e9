; Positions on a grid as differences of integers, and the order of visits.
; Source: QF_IDL; docs/positions.md, section "Decisions".
; Input   for point P of item I the integers x_I_P and y_I_P, for visit V of item I the integer t_I_V;
;         each gap is one assertion, such as   (gap x_0_1 x_0_2 1)
; Output  macros only: a story has a placement iff its assertions are satisfiable, and an answer is
;         entailed iff they are not satisfiable together with its negation.
; Size    one atom a gap.
(set-logic QF_IDL)

; The coordinate of a point is at least that of another plus a number.
(define-fun gap ((high Int) (low Int) (least Int)) Bool (>= (- high low) least))
; The sign of a difference.
(define-fun beyond ((p Int) (q Int)) Bool (> p q))
(define-fun level ((p Int) (q Int)) Bool (= p q))
(define-fun short_of ((p Int) (q Int)) Bool (< p q))
; Two points are not at one place.
(define-fun apart ((px Int) (py Int) (qx Int) (qy Int)) Bool (or (distinct px qx) (distinct py qy)))

; Visits: one is before another, and one lies between two.
(define-fun earlier ((u Int) (v Int)) Bool (< u v))
(define-fun within ((u Int) (v Int) (w Int)) Bool (and (< u v) (< v w)))
