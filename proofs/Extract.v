(** The checkers of items, of chains, of labelled graphs and of links as an OCaml program.

    Numbers stay as they are defined in Coq: [nat] in unary for points and indices, which are small,
    [Z] in binary for instants and distances, which may be of any size. So no machine integer can
    overflow, and no hand-written OCaml replaces a definition. Booleans, options, pairs and lists
    become those of OCaml, which have the same constructors. *)
From Coq Require Import ZArith Extraction ExtrOcamlBasic.
From Hopcheck Require Import Meaning Checker Published StepChecker Graphs GraphChecker Links
  LinkChecker Reading Reader Questions QuestionChecker.

(** For reading decimal numbers: the number [z] with the digit [d] behind it. *)
Definition append_digit (z : Z) (d : nat) : Z := (10 * z + Z.of_nat d)%Z.

(** For texts: the character with a number of Unicode. *)
Definition character (z : Z) : N := folded (Z.to_N z).

(** For numbering facts and instances: a map with one more value, at the next number. *)
Definition numbered {A} (values : list A) : M.t A :=
  fst (List.fold_left (fun '(m, k) v => (M.add k v m, Pos.succ k)) values (M.empty A, 1%positive)).

(** The number of the value at a place, from 0. *)
Definition number (place : Z) : positive := Z.to_pos (place + 1).

(** The decay of an age, counted from 1, in a table: nothing beyond it. *)
Definition decay_in (table : list Z) (age : Z) : Z :=
  if (age <=? 0)%Z then 0%Z else List.nth (Z.to_nat (age - 1)) table 0%Z.

Extraction "checker.ml" check_by check_texts read itemized character check_chain check_graph numbered number
  check_consistent check_inconsistent check_repair found_in inferences_found decay_in
  check_answers check_so check_unknown check_plausible append_digit Z.opp.
