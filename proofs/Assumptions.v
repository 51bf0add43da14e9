(** What the theorems assume: [Closed under the global context] means no axiom at all. *)
From Hopcheck Require Import Walks Soundness Completeness Models Claims Published StepSoundness GraphSoundness
  LinkSoundness ReaderSoundness.

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
Print Assumptions requirements_mean.
Print Assumptions allen_exactly_one.
Print Assumptions entailed_iff_true_in_all_models.
Print Assumptions refuted_iff_true_in_no_model.
Print Assumptions unknown_iff_true_in_some_not_all.
Print Assumptions label_true_iff_true_in_all_models.
Print Assumptions label_false_iff_false_in_some_model.
Print Assumptions global_undefined_iff_no_model.
Print Assumptions check_by_sound.
Print Assumptions labelled_by_unique.
Print Assumptions is_before_derivable.
Print Assumptions is_equal_derivable.
Print Assumptions check_chain_sound.
Print Assumptions judged_unique.
Print Assumptions order_derivable_iff_true_in_all_models.
Print Assumptions check_graph_sound.
Print Assumptions check_consistent_sound.
Print Assumptions check_inconsistent_sound.
Print Assumptions check_repair_sound.
Print Assumptions read_iff.
Print Assumptions check_texts_sound.
