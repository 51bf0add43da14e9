; Families: relations between persons, as macros over the parents and the spouse of each.
; Source: docs/family.md, section "Relations".
; Input   arrays from persons to persons: the first parent f, the second parent m, the spouse s;
;         whoever is not in the text is a number of its own. An array of men. Persons x and y.
; Output  macros only: a word for what x is to y is possible iff its relation and the gender are
;         satisfiable.
; Size    a dozen atoms a person.
(set-logic QF_ALIA)

(define-fun parent ((f (Array Int Int)) (m (Array Int Int)) (s (Array Int Int)) (x Int) (y Int)) Bool
  (or (= (select f y) x) (= (select m y) x)))
(define-fun spouse ((f (Array Int Int)) (m (Array Int Int)) (s (Array Int Int)) (x Int) (y Int)) Bool
  (= (select s y) x))
(define-fun sibling ((f (Array Int Int)) (m (Array Int Int)) (s (Array Int Int)) (x Int) (y Int)) Bool
  (and (not (= x y)) (= (select f x) (select f y)) (= (select m x) (select m y))))
(define-fun child ((f (Array Int Int)) (m (Array Int Int)) (s (Array Int Int)) (x Int) (y Int)) Bool
  (parent f m s y x))
(define-fun grandparent ((f (Array Int Int)) (m (Array Int Int)) (s (Array Int Int)) (x Int) (y Int)) Bool
  (or (parent f m s x (select f y)) (parent f m s x (select m y))))
(define-fun grandchild ((f (Array Int Int)) (m (Array Int Int)) (s (Array Int Int)) (x Int) (y Int)) Bool
  (grandparent f m s y x))
(define-fun pibling ((f (Array Int Int)) (m (Array Int Int)) (s (Array Int Int)) (x Int) (y Int)) Bool
  (or (sibling f m s x (select f y)) (sibling f m s x (select m y))))
(define-fun nibling ((f (Array Int Int)) (m (Array Int Int)) (s (Array Int Int)) (x Int) (y Int)) Bool
  (pibling f m s y x))
(define-fun parent_in_law ((f (Array Int Int)) (m (Array Int Int)) (s (Array Int Int)) (x Int) (y Int)) Bool
  (parent f m s x (select s y)))
(define-fun child_in_law ((f (Array Int Int)) (m (Array Int Int)) (s (Array Int Int)) (x Int) (y Int)) Bool
  (parent_in_law f m s y x))
(define-fun sibling_in_law ((f (Array Int Int)) (m (Array Int Int)) (s (Array Int Int)) (x Int) (y Int)) Bool
  (or (sibling f m s x (select s y)) (sibling f m s (select s x) y)))
