(** What the theorems assume: [Closed under the global context] means no axiom at all.

    One command for all of them: each goes through the whole library that it is based on. *)
From Hopcheck Require Import Walks Soundness Completeness Models.

Definition theorems := (
  label_unique,
  verdict_unique,
  check_sound,
  check_sound_label,
  check_exclusive,
  potential_proves_minimality,
  certificate_complete,
  check_iff,
  label_complete,
  consistent_iff_model,
  derivable_iff_true_in_all_models
).

Print Assumptions theorems.
