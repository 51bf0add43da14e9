(** What the theorems assume: [Closed under the global context] means no axiom at all. *)
From Hopcheck Require Import Walks Soundness Completeness Models.

Print Assumptions label_unique.
Print Assumptions verdict_unique.
Print Assumptions check_sound.
Print Assumptions check_sound_label.
Print Assumptions check_exclusive.
Print Assumptions potential_proves_minimality.
Print Assumptions certificate_complete.
Print Assumptions check_iff.
Print Assumptions label_complete.
Print Assumptions consistent_iff_model.
Print Assumptions derivable_iff_true_in_all_models.
