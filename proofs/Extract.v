(** The checkers of items and of chains as an OCaml program.

    Numbers stay as they are defined in Coq: [nat] in unary for points and indices, which are small,
    [Z] in binary for instants and distances, which may be of any size. So no machine integer can
    overflow, and no hand-written OCaml replaces a definition. Booleans, options, pairs and lists
    become those of OCaml, which have the same constructors. *)
From Coq Require Import ZArith Extraction ExtrOcamlBasic.
From Hopcheck Require Import Meaning Checker Published StepChecker.

(** For reading decimal numbers: the number [z] with the digit [d] behind it. *)
Definition append_digit (z : Z) (d : nat) : Z := (10 * z + Z.of_nat d)%Z.

Extraction "checker.ml" check_by check_chain append_digit Z.opp.
