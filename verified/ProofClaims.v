(** Why the claims follow from the sections. *)

Require Import List Bool PeanoNat Lia.
Require Import Board Moves Game Format Same Checker GameFacts.
Import ListNotations.

(** The meaning of a complete section. *)
Definition section_true (q : problem) (s : section) : Prop :=
  let p := diagram q in
  let g := goal_of q in
  match s with
  | Shown (Some m) n => attacker_begins q = true /\ key g n p m
  | Shown None n => attacker_begins q = false /\ won g n p
  | Refuted n omitted =>
      if attacker_begins q
      then forall m, counts omitted m = true -> ~ key g n p m
      else omitted = Nothing /\ ~ won g n p
  end.

Lemma sections_eq_ok : forall x y, sections_eq x y = true -> x = y.
Proof. intros x y; unfold sections_eq; destruct (list_eq_dec section_eq x y); [auto | discriminate]. Qed.

Lemma each_once_ok : forall l, each_once l = true -> NoDup l.
Proof.
  induction l as [| m rest IH]; cbn [each_once]; intros H; constructor; apply andb_true_iff in H;
    destruct H as [H R]; [| exact (IH R)].
  destruct (in_dec move_eq m rest); [discriminate | assumption].
Qed.

Section Problem.
Variable q : problem.

Lemma shown_solution : forall first n, section_true q (Shown first n) -> solution_in q n.
Proof.
  intros [m |] n; cbn [section_true]; unfold solution_in; intros [begins H]; rewrite begins; [| exact H].
  apply solvable_key; exists m; exact H.
Qed.

Lemma refuted_solution : forall n, section_true q (Refuted n Nothing) -> ~ solution_in q n.
Proof.
  intros n; cbn [section_true]; unfold solution_in; destruct (attacker_begins q); [| tauto].
  intros none S; apply solvable_key in S; destruct S as [m K]; exact (none m eq_refl K).
Qed.

Hypothesis begins : attacker_begins q = true.

Lemma except_keys : forall n keys m,
  section_true q (Refuted n (Except keys)) -> key (goal_of q) n (diagram q) m -> In m keys.
Proof.
  intros n keys m; cbn [section_true]; rewrite begins; intros none K.
  destruct (in_dec move_eq m keys) as [I | I] eqn:D; [exact I |].
  exfalso; apply (none m); [cbn [counts]; rewrite D; reflexivity | exact K].
Qed.

Lemma after_keys : forall n keys m,
  section_true q (Refuted n (After keys)) -> In m keys -> ~ key (goal_of q) n (diagram q) m.
Proof.
  intros n keys m; cbn [section_true]; rewrite begins; intros none I K.
  apply (none m); [| exact K]; cbn [counts].
  destruct (in_dec move_eq m keys); [reflexivity | contradiction].
Qed.

Lemma unique_ok : forall keys,
  each_once keys = true -> Forall (section_true q) (unique_sections (moves_of q) keys) ->
  keys_are q keys /\ forall m, ~ shorter_key q m.
Proof.
  intros keys once all; unfold unique_sections in all.
  apply Forall_app in all; destruct all as [solutions rest].
  apply Forall_app in rest; destruct rest as [refuted shorter].
  inversion refuted as [| r l except nothing]; subst; clear refuted nothing.
  assert (are : keys_are q keys).
  { split; [exact (each_once_ok keys once) |]; intros m; split; [| apply except_keys; exact except].
    intros I; rewrite Forall_forall in solutions.
    assert (section_true q (Shown (Some m) (moves_of q))) as [_ K]; [| exact K].
    apply solutions; apply in_map_iff; exists m; auto. }
  split; [exact are |]; intros m K; unfold shorter_key in K.
  assert (I : In m keys).
  { apply are; apply (key_mono _ (moves_of q - 1)); [lia | exact K]. }
  destruct (Nat.ltb 1 (moves_of q)) eqn:more.
  - inversion shorter as [| r l after nothing]; subst.
    exact (after_keys _ _ _ after I K).
  - apply Nat.ltb_ge in more; replace (moves_of q - 1) with 0 in K by lia; exact K.
Qed.

Lemma are_solutions_ok : forall m keys found,
  are_solutions m keys found = true -> Forall (section_true q) found ->
  forall k, In k keys -> key (goal_of q) m (diagram q) k.
Proof.
  intros m keys; induction keys as [| a keys IH]; intros found H all k; [intros [] |].
  destruct found as [| [[first |] n | n omitted] found]; try discriminate H.
  cbn [are_solutions] in H; apply andb_true_iff in H; destruct H as [H rest].
  apply andb_true_iff in H; destruct H as [same le].
  destruct (move_eq a first) as [<- |]; [| discriminate].
  inversion all as [| s l one others]; subst.
  intros [<- | I]; [| exact (IH found rest others k I)].
  destruct one as [_ K]; apply (key_mono _ n); [apply Nat.leb_le; exact le | exact K].
Qed.

Lemma is_shorter_ok : forall found,
  existsb (is_shorter (moves_of q)) found = true -> Forall (section_true q) found ->
  exists m, shorter_key q m.
Proof.
  intros found H all; apply existsb_exists in H; destruct H as [s [I less]].
  rewrite Forall_forall in all; specialize (all s I).
  destruct s as [[m |] n | n omitted]; cbn [section_true is_shorter] in *; [| | discriminate].
  - exists m; destruct all as [_ K]; apply Nat.ltb_lt in less.
    apply (key_mono _ n); [lia | exact K].
  - destruct all as [other _]; congruence.
Qed.

Lemma fits_verdict_ok : forall v found,
  fits_verdict q v found = true -> Forall (section_true q) found -> verdict_true q v.
Proof.
  intros [| keys | keys | keys] found H all; cbn [fits_verdict verdict_true] in *.
  - apply sections_eq_ok in H; subst; inversion all as [| s l refuted nothing]; subst.
    cbn [section_true] in refuted; rewrite begins in refuted.
    split; [constructor |]; intros m; split; [intros [] |]; intros K; exact (refuted m eq_refl K).
  - apply andb_true_iff in H; destruct H as [H same]; apply andb_true_iff in H; destruct H as [once number].
    apply sections_eq_ok in same; subst; apply Nat.eqb_eq in number.
    destruct (unique_ok keys once all) as [are none]; auto.
  - apply andb_true_iff in H; destruct H as [H same]; apply andb_true_iff in H; destruct H as [once number].
    apply sections_eq_ok in same; subst; apply Nat.ltb_lt in number.
    destruct (unique_ok keys once all) as [are none]; auto.
  - apply andb_true_iff in H; destruct H as [H same]; apply andb_true_iff in H; destruct H as [H shorter].
    apply andb_true_iff in H; destruct H as [once solutions].
    apply sections_eq_ok in same; rewrite same in all.
    apply Forall_app in all; destruct all as [shown refuted].
    inversion refuted as [| s l except nothing]; subst.
    split; [split; [exact (each_once_ok keys once) |] | exact (is_shorter_ok _ shorter shown)].
    intros m; split; [| apply except_keys; exact except].
    apply (are_solutions_ok _ _ _ solutions shown).
Qed.

End Problem.

(** If the sections are those that the claims ask for, and are true, the claims are true. *)
Lemma fits_ok : forall h found,
  fits h found = true -> Forall (section_true (problem_of h)) found ->
  forall c, In c (claims h) -> claim_true (problem_of h) c.
Proof.
  intros h found; unfold fits; cbv zeta.
  destruct (claims h) as [| a [| b [| c l]]]; try discriminate.
  - destruct a as [n | n | v]; intros H all c [<- | []]; cbn [claim_true].
    + destruct found as [| [first k | k omitted] [| s found]]; try discriminate.
      apply Nat.eqb_eq in H; subst; inversion all; subst; eapply shown_solution; eassumption.
    + apply sections_eq_ok in H; subst; inversion all; subst; apply refuted_solution; assumption.
    + apply andb_true_iff in H; destruct H as [begins H].
      split; [exact begins | exact (fits_verdict_ok _ begins v found H all)].
  - destruct a as [n | n | v]; try discriminate; destruct b as [k | k | w]; try discriminate.
    destruct found as [| [first i | i omitted] [| r [| s found]]]; try discriminate.
    intros H all; apply andb_true_iff in H; destruct H as [number same].
    apply Nat.eqb_eq in number; apply sections_eq_ok in same; injection same as ->; subst.
    inversion all as [| x l shown rest]; subst; inversion rest as [| y l refuted nothing]; subst.
    intros c [<- | [<- | []]]; cbn [claim_true]; [eapply shown_solution | apply refuted_solution]; eassumption.
  - destruct a as [n | n | v]; try discriminate; destruct b; discriminate.
Qed.
