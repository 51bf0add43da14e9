(** What the theorems assume: [Closed under the global context] means no axiom at all. *)
From Hopcheck Require Import Walks Soundness.

Print Assumptions label_unique.
Print Assumptions verdict_unique.
Print Assumptions check_sound.
Print Assumptions check_sound_label.
Print Assumptions check_exclusive.
Print Assumptions potential_proves_minimality.
