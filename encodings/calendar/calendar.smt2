; The calendar: relations between steps of a chain, bounds of times, and free times, as macros.
; Source: proleptic Gregorian calendar (ISO 8601-1:2019, 4.2.1); docs/calendar.md.
; Input   for step S of a problem the integers v_S, and y_S m_S d_S where the step is a day; each
;             step is one assertion, such as   (clipped y_0 m_0 d_0 1 v_1 y_1 m_1 d_1)
;         a time t as a real, an integer k for whole grains and for minutes
; Output  macros only: a chain is possible iff its assertions are satisfiable, and a value is proved
;         iff they are not satisfiable together with its negation; a claim about a time is entailed
;         iff no time fits the premise and not the claim, and contradicted iff none fits both; a
;         minute is free iff it is in no entry.
; Size    a few dozen atoms a step, a few a side or entry.
(set-logic QF_LIRA)

; The year of a day number is not computed but found: a day is the only one whose year, month and day
; of the month give its number.
(define-fun leap ((y Int)) Bool
  (and (= (mod y 4) 0) (or (not (= (mod y 100) 0)) (= (mod y 400) 0))))
(define-fun length ((y Int) (m Int)) Int
  (ite (= m 2) (ite (leap y) 29 28) (ite (or (= m 4) (= m 6) (= m 9) (= m 11)) 30 31)))
(define-fun proper ((y Int) (m Int) (d Int)) Bool
  (and (<= 1 m) (<= m 12) (<= 1 d) (<= d (length y m))))

; Days of the months before one in a year that is not a leap year.
(define-fun before_month ((m Int)) Int
  (ite (= m 1) 0 (ite (= m 2) 31 (ite (= m 3) 59 (ite (= m 4) 90 (ite (= m 5) 120 (ite (= m 6) 151
  (ite (= m 7) 181 (ite (= m 8) 212 (ite (= m 9) 243 (ite (= m 10) 273 (ite (= m 11) 304 334))))))))))))
(define-fun days ((y Int) (m Int) (d Int)) Int
  (+ (* 365 (- y 1)) (div (- y 1) 4) (- (div (- y 1) 100)) (div (- y 1) 400)
     (before_month m) (ite (and (> m 2) (leap y)) 1 0) d))
; The bounds of the year are implied; they help the solver.
(define-fun day ((v Int) (y Int) (m Int) (d Int)) Bool
  (and (proper y m d) (= v (days y m d))
       (<= (* 146097 (- y 1)) (* 400 (+ v 1))) (< (* 400 (- v 367)) (* 146097 (- y 1)))))

; Months and years added: the day of the month stays as far as the month has it, or goes on.
(define-fun same_month ((y Int) (m Int) (n Int) (z Int) (k Int)) Bool
  (and (<= 1 k) (<= k 12) (= (+ (* 12 z) k) (+ (* 12 y) m n))))
(define-fun clipped ((y Int) (m Int) (d Int) (n Int) (w Int) (z Int) (k Int) (e Int)) Bool
  (and (same_month y m n z k) (= e (ite (<= d (length z k)) d (length z k))) (day w z k e)))
(define-fun overflowing ((y Int) (m Int) (d Int) (n Int) (w Int)) Bool
  (let ((month (+ (* 12 y) (- m 1) n)))
    (= w (+ (days (div month 12) (+ 1 (mod month 12)) 1) (- d 1)))))

; The weekday of a day, 0 = Monday, and the n-th day of that name from a day on, or up to it.
(define-fun weekday ((v Int)) Int (mod (- v 1) 7))
(define-fun nth_from ((v Int) (n Int) (w Int) (name Int)) Bool
  (and (= (weekday w) name) (<= (+ v (* 7 (- n 1))) w) (< w (+ v (* 7 n)))))
(define-fun nth_up_to ((v Int) (n Int) (w Int) (name Int)) Bool
  (and (= (weekday w) name) (<= w (- v (* 7 (- n 1)))) (< (- v (* 7 n)) w)))

; The first and the last day of the month, quarter or year of a day: periods of n months.
(define-fun first ((y Int) (m Int) (n Int) (w Int) (z Int) (k Int)) Bool
  (and (= z y) (= (mod (- k 1) n) 0) (<= k m) (< m (+ k n)) (= w (days y k 1))))
(define-fun last ((y Int) (m Int) (n Int) (w Int) (z Int) (k Int)) Bool
  (and (= z y) (= (mod k n) 0) (< (- k n) m) (<= m k) (= w (days y k (length y k)))))

; The day whose month and day of the month are the digits of its year, reversed.
(define-fun palindrome ((y Int) (m Int) (d Int)) Bool
  (and (= (mod m 10) (mod (div y 10) 10)) (= (div m 10) (mod y 10))
       (= (mod d 10) (div y 1000)) (= (div d 10) (mod (div y 100) 10))))

; The first of v, v + n, v + 2n ... after t.
(define-fun recurs ((v Int) (n Int) (t Int) (w Int)) Bool
  (and (<= v w) (< t w) (= (mod (- w v) n) 0) (or (= w v) (<= w (+ t n)))))

; The days from v to w whose weekday is one of n from a weekday on: of the weeks from a day of that
; name on, w is in the last one and the day before v in the first one.
(define-fun some_days ((v Int) (name Int) (n Int)) Int
  (+ (* n (div (- v 1 name) 7)) (ite (< (mod (- v 1 name) 7) n) (+ 1 (mod (- v 1 name) 7)) n)))
(define-fun days_within ((v Int) (w Int) (name Int) (n Int) (number Int)) Bool
  (and (<= v w) (= number (- (some_days w name n) (some_days (- v 1) name n)))))

; At moment m clocks show time w, which is so many minutes more than m from moment a up to moment b.
(define-fun shown ((m Int) (w Int) (a Int) (b Int) (more Int)) Bool
  (and (<= a m) (< m b) (= w (+ m more))))

; Of two times with finer times, the one is earlier.
(define-fun earlier ((a Int) (b Int) (c Int) (d Int)) Bool (or (< a c) (and (= a c) (< b d))))

; Whole months from a day to one that is not earlier: 32 exceeds every day of a month.
(define-fun whole_months ((y Int) (m Int) (d Int) (z Int) (k Int) (e Int)) Int
  (div (+ (* 32 (- (+ (* 12 z) k) (+ (* 12 y) m))) (- e d)) 32))
(define-fun months_between ((v Int) (y Int) (m Int) (d Int) (w Int) (z Int) (k Int) (e Int)) Int
  (ite (<= v w) (whole_months y m d z k e) (- (whole_months z k e y m d))))

; What a premise or a claim says of a time: at, before or after a period.
(define-fun at ((t Real) (low Real) (high Real)) Bool (and (<= low t) (<= t high)))
(define-fun before ((t Real) (low Real) (high Real)) Bool (< t low))
(define-fun from ((t Real) (low Real) (high Real)) Bool (<= low t))
(define-fun until ((t Real) (low Real) (high Real)) Bool (<= t high))
(define-fun after ((t Real) (low Real) (high Real)) Bool (> t high))

; A time in whole grains.
(define-fun whole ((t Real) (k Int) (grain Int)) Bool (= t (to_real (* grain k))))

; Somebody who has to be free from minute s up to e is not busy from a up to b.
(define-fun attended ((s Int) (e Int) (a Int) (b Int)) Bool (or (<= e a) (<= b s)))

; Minute m is in the time from minute a up to minute b.
(define-fun within ((m Int) (a Int) (b Int)) Bool (and (<= a m) (< m b)))
