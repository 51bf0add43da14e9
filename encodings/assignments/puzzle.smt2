; Assignment puzzles as integers: the place of each thing, and clues about them.
; Source: constraint satisfaction with all-different categories; docs/assignments.md, section
;         "Decisions".
; Input   an integer t_N for each thing N, and m_N for each mention of a word with several meanings;
;         each clue is one assertion, such as   (adjoining t_3 t_12)
; Output  macros only: a puzzle has a solution iff its assertions are satisfiable, and a claim is
;         entailed iff they are not satisfiable together with its negation.
; Size    a few atoms a clue.
(set-logic QF_IDL)

; Places are numbered from 1; the things of a category are at distinct ones (built in: distinct).
(define-fun within ((t Int) (places Int)) Bool (and (<= 1 t) (<= t places)))

; The clues.
(define-fun same ((a Int) (b Int)) Bool (= a b))
(define-fun differs ((a Int) (b Int)) Bool (distinct a b))
(define-fun earlier ((a Int) (b Int)) Bool (< a b))
(define-fun adjoining ((a Int) (b Int)) Bool (= b (+ a 1)))
(define-fun beside ((a Int) (b Int)) Bool (or (adjoining a b) (adjoining b a)))
(define-fun between ((a Int) (left Int) (right Int)) Bool (and (< left a) (< a right)))
(define-fun outer ((a Int) (places Int)) Bool (or (= a 1) (= a places)))
(define-fun placed ((a Int) (place Int)) Bool (= a place))
