(** The program that checks answers to questions; it is extracted to OCaml. It finds all answers
    itself.

    Nothing here has to be believed: QuestionSoundness.v proves that accepted answers are right. *)
From Coq Require Import List Bool ZArith FMapPositive.
From Hopcheck Require Import Graphs Questions.
Import ListNotations.
Open Scope Z_scope.

(** * Indexes *)

(** Values by an integer that each has. *)
Definition place_of_key (k : Z) : positive := Z.to_pos (k + 1).
Definition bucket {A} (ix : M.t (list A)) (k : Z) : list A :=
  match M.find (place_of_key k) ix with Some l => l | None => [] end.
Definition indexed {A} (key : A -> Z) (l : list A) : M.t (list A) :=
  List.fold_left (fun ix x => M.add (place_of_key (key x)) (x :: bucket ix (key x)) ix) l (M.empty _).

(** The facts by their times and by their heads, and the inferences by what they imply. *)
Record facts_found := Facts_found { by_time : M.t (list fact); by_head : M.t (list fact) }.
Definition found_in (facts : list fact) : facts_found :=
  {| by_time := indexed time facts; by_head := indexed head facts |}.

Definition is_in (x : Z) (l : list Z) : bool := existsb (Z.eqb x) l.

(** * Entities that are asked for *)

(** What facts of a time lead to from an entity. *)
Definition reached (ix : M.t (list fact)) (w : way) (a r t : Z) : list Z :=
  map (far w)
    (filter (fun f => (near w f =? a) && (rel f =? r) && (time f =? t)) (bucket ix t)).

Definition all_answers (ix : M.t (list fact)) (q : question) : list Z :=
  match q with
  | One_hop w a r t => reached ix w a r t
  | Two_hop w a r v s t =>
      let parties := filter (fun p => negb (p =? a)) (reached ix w a r t) in
      map (far v)
        (filter (fun f => (rel f =? s) && (time f =? t) && negb (far v f =? a) &&
                          negb (far v f =? near v f) && is_in (near v f) parties) (bucket ix t))
  end.

(** Each once, in ascending order. *)
Fixpoint ascending (l : list Z) : bool :=
  match l with
  | x :: ((y :: _) as rest) => (x <? y) && ascending rest
  | _ => true
  end.

Definition check_answers (ix : facts_found) (q : question) (answers : list Z) : bool :=
  let found := all_answers (by_time ix) q in
  ascending answers && forallb (fun x => is_in x found) answers &&
  forallb (fun x => is_in x answers) found.

(** * Yes or unknown *)

Definition same_triple (f : fact) (a r b : Z) : bool :=
  (head f =? a) && (rel f =? r) && (tail f =? b).
Definition check_so (ix : facts_found) (a r b t : Z) : bool :=
  existsb (fun f => same_triple f a r b && (time f =? t)) (bucket (by_head ix) a).
Definition check_unknown (ix : facts_found) (a r b : Z) : bool :=
  negb (existsb (fun f => same_triple f a r b) (bucket (by_head ix) a)).

(** * The most plausible of the choices *)

Definition infers_by (i : inference) (f : fact) (a r b : Z) : bool :=
  (implied i =? r) && negb (a =? b) && (near (direction i) f =? a) && (rel f =? by_relation i) &&
  (far (direction i) f =? b).

(** The inferences by what they imply. *)
Definition inferences_found (l : list inference) : M.t (list inference) := indexed implied l.

(** A choice, the inference by which it contributes most, and how much. *)
Definition check_choice (decay : Z -> Z) (ix : facts_found) (all : M.t (list inference))
    (a r b t : Z) (choice : fact * inference * Z) : bool :=
  let '(f, i, n) := choice in
  check_so ix (head f) (rel f) (tail f) (time f) && negb (same_triple f a r b) &&
  (0 <? n) && infers_by i f a r b && (contribution decay i (t - time f) =? n) &&
  existsb (fun j => (implied j =? implied i) &&
                    (match direction j, direction i with
                     | Forwards, Forwards | Backwards, Backwards => true
                     | _, _ => false
                     end) &&
                    (by_relation j =? by_relation i) && (confidence j =? confidence i) &&
                    (bodies j =? bodies i)) (bucket all r) &&
  forallb (fun j => negb (infers_by j f a r b) || (contribution decay j (t - time f) <=? n))
    (bucket all r).

Definition check_plausible (decay : Z -> Z) (ix : facts_found) (all : M.t (list inference))
    (a r b t : Z) (best : fact * inference * Z) (others : list (fact * inference * Z)) : bool :=
  check_choice decay ix all a r b t best &&
  forallb (fun other => check_choice decay ix all a r b t other && (5 * snd other <=? 3 * snd best))
    others.
