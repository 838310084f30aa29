(** The theorem: the claims of a certificate that the checker accepts are true. *)

Require Import List Bool String NArith PeanoNat Lia FMapPositive.
Require Import Board Moves Text Game Format Same Nodes Checker GameFacts ProofShown ProofRefuted ProofClaims.
Import ListNotations.

Section Certificate.

(** The header of the certificate. *)
Variable h : header.

Let q : problem := problem_of h.
Let p : position := diagram q.
Let g : goal := goal_of q.

(** ** The invariant: what each state knows *)

Definition kept_ok (b : kept) : Prop :=
  head b = h /\ shown_known g (shown b) /\ refuted_known g (refuted b) /\ Forall (section_true q) (sections b).

Definition state_ok (s : state) : Prop :=
  match s with
  | InHeader _ => False
  | Between b | BeginsShown b _ => kept_ok b
  | InShown b n extra first stack x =>
      kept_ok b /\
      exists root, shown_linked g root stack x
        /\ forall length, won g length root -> extra + length = n -> section_true q (Shown first n)
  | BeginsRefuted b n omitted => kept_ok b /\ (attacker_begins q = false -> omitted = Nothing)
  | InRefuted b n omitted first stack k x =>
      kept_ok b /\ refuted_linked g (section_true q (Refuted n omitted)) first stack k x
  | NoCertificate _ | Failed _ _ => True
  end.

Definition result_ok (r : result state) : Prop := match r with Ok s => state_ok s | Error _ => True end.

Lemma to_state_ok : forall line r, result_ok r -> state_ok (to_state line r).
Proof. intros line [s | why] H; exact H. Qed.

Lemma with_section_ok : forall b s, kept_ok b -> section_true q s -> kept_ok (with_section b s).
Proof. intros b s [H [K [R S]]] T; repeat split; auto; constructor; auto. Qed.

Lemma with_shown_ok : forall b known, kept_ok b -> shown_known g known -> kept_ok (with_shown b known).
Proof. intros b known [H [K [R S]]] T; repeat split; auto. Qed.

Lemma with_refuted_ok : forall b known, kept_ok b -> refuted_known g known -> kept_ok (with_refuted b known).
Proof. intros b known [H [K [R S]]] T; repeat split; auto. Qed.

Lemma diagram_is : forall b, kept_ok b -> diagram_of b = p.
Proof. intros b [H _]; unfold diagram_of; rewrite H; reflexivity. Qed.
Lemma goal_is : forall b, kept_ok b -> goal_in b = g.
Proof. intros b [H _]; unfold goal_in; rewrite H; reflexivity. Qed.
Lemma begins_is : forall b, kept_ok b -> begins_in b = attacker_begins q.
Proof. intros b [H _]; unfold begins_in; rewrite H; reflexivity. Qed.

(** ** Solutions *)

Lemma end_shown_ok : forall b n first length,
  kept_ok b -> (length = n -> section_true q (Shown first n)) -> result_ok (end_shown b n first length).
Proof.
  intros b n first length K T; unfold end_shown.
  destruct (Nat.eqb length n) eqn:E; [| exact I].
  apply Nat.eqb_eq in E; apply with_section_ok; auto.
Qed.

Lemma continue_shown_ok : forall b n extra first root next,
  kept_ok b -> shown_next_ok g root next ->
  (forall length, won g length root -> extra + length = n -> section_true q (Shown first n)) ->
  result_ok (continue_shown b n extra first next).
Proof.
  intros b n extra first root [known length | known stack x] K [known_ok H] T; unfold continue_shown.
  - apply end_shown_ok; [apply with_shown_ok; assumption | apply T; exact H].
  - split; [apply with_shown_ok; assumption | exists root; split; [exact H | exact T]].
Qed.

Lemma shown_step_ok : forall b n extra first root stack x line text,
  kept_ok b -> shown_linked g root stack x ->
  (forall length, won g length root -> extra + length = n -> section_true q (Shown first n)) ->
  result_ok (shown_step b n extra first stack x line text).
Proof.
  intros b n extra first root stack x line text K linked T; unfold shown_step.
  assert (KS : shown_known g (shown b)) by apply K.
  destruct (read_solution_line text) as [[l | marked tokens] |]; cbn [demand]; [| | exact I].
  - destruct (PositiveMap.find (line_key l) (shown b)) as [[y length] |] eqn:F; cbn [demand]; [| exact I].
    destruct (same_position y x) eqn:same; [| exact I].
    apply (continue_shown_ok _ _ _ _ root); [exact K | | exact T].
    apply (close_shown_ok g root _ _ _ x); [exact linked | exact KS |].
    apply (alike_won g length y x); [apply same_position_alike; exact same | exact (KS _ _ _ F)].
  - rewrite (goal_is b K).
    destruct (solution_node g x tokens) as [[length opened] |] eqn:N; cbn [demand]; [| exact I].
    assert (node := fun n => solution_node_ok g x tokens length opened n N).
    destruct opened as [| next rest].
    + assert (W : won g length x) by (apply node; [lia | intros y []]).
      apply (continue_shown_ok _ _ _ _ root); [exact K | | exact T].
      apply (close_shown_ok g root _ _ _ x); auto using shown_known_store.
    + split; [exact K |]; exists root; split; [| exact T].
      constructor; cbn [shown_length shown_waiting shown_position]; [exact node | exact linked].
Qed.

Lemma first_move_key : forall n m, attacker_must_end g p = false -> In m (legal_moves p) ->
  attacker_begins q = true -> won g n (play p m) -> section_true q (Shown (Some m) (1 + n)).
Proof. intros n m duty legal begins w; split; [exact begins |]; cbn; auto. Qed.

Lemma first_shown_ok : forall b n line text, kept_ok b -> result_ok (first_shown b n line text).
Proof.
  intros b n line text K; unfold first_shown; cbv zeta.
  rewrite (goal_is b K), (diagram_is b K), (begins_is b K).
  destruct (attacker_begins q) eqn:begins.
  - destruct (read_solution_line text) as [[l | marked [| [[| a | a] [| [| |]]] [| ? ?]]] |]; try exact I.
    + destruct (attack_move g p a) as [m |] eqn:A; cbn [demand]; [| exact I].
      apply attack_move_spec in A; destruct A as [duty legal].
      destruct (stands_after_attack g (play p m)) eqn:stands; [| exact I].
      apply end_shown_ok; [exact K |]; intros <-.
      apply (first_move_key 0); auto; left; exact stands.
    + destruct (attack_move g p a) as [m |] eqn:A; cbn [demand]; [| exact I].
      apply attack_move_spec in A; destruct A as [duty legal].
      split; [exact K |]; exists (play p m); split; [constructor |].
      intros length w <-; apply first_move_key; auto.
  - destruct (stands_after_attack g p) eqn:stands.
    + destruct (String.eqb text "#"); [| exact I].
      apply end_shown_ok; [exact K |]; intros <-; split; [exact begins | left; exact stands].
    + apply (shown_step_ok _ _ _ _ p); [exact K | constructor |].
      intros length w <-; split; [exact begins | exact w].
Qed.

(** ** Refutations *)

Lemma end_refuted_ok : forall b n omitted,
  kept_ok b -> section_true q (Refuted n omitted) -> state_ok (end_refuted b n omitted).
Proof. intros b n omitted K T; apply with_section_ok; assumption. Qed.

Lemma continue_refuted_ok : forall b n omitted next,
  kept_ok b -> refuted_next_ok g (section_true q (Refuted n omitted)) next ->
  state_ok (continue_refuted b n omitted next).
Proof.
  intros b n omitted [known | known first stack k x] K [known_ok H]; unfold continue_refuted.
  - apply end_refuted_ok; [apply with_refuted_ok; assumption | exact H].
  - split; [apply with_refuted_ok; assumption | exact H].
Qed.

Lemma refuted_step_ok : forall b n omitted first stack k x line text,
  kept_ok b -> refuted_linked g (section_true q (Refuted n omitted)) first stack k x ->
  result_ok (refuted_step b n omitted first stack k x line text).
Proof.
  intros b n omitted first stack k x line text K linked; unfold refuted_step.
  assert (KR : refuted_known g (refuted b)) by apply K.
  destruct (read_refutation_line text) as [[l | replies] |]; cbn [demand]; [| | exact I].
  - destruct (PositiveMap.find (line_key l) (refuted b)) as [[y k'] |] eqn:F; cbn [demand]; [| exact I].
    destruct (Nat.leb k k') eqn:le; [| exact I]; apply Nat.leb_le in le.
    destruct (same_position y x) eqn:same; [| exact I].
    apply continue_refuted_ok; [exact K |].
    apply (close_refuted_ok g _ _ _ _ k x); [exact linked | exact KR |].
    intros S; apply (KR _ _ _ F).
    apply (alike_solvable g k' x y); [apply alike_sym; apply same_position_alike; exact same |].
    exact (solvable_mono g k k' x le S).
  - destruct k as [| k]; [exact I |].
    rewrite (goal_is b K).
    destruct (refute_all _ _ _ _ _ _ _) as [opened |] eqn:All; cbn [demand]; [| exact I].
    assert (node := refutation_node_ok g k x replies opened All).
    destruct opened as [| next rest].
    + assert (not_x : ~ solvable g (S k) x) by (apply node; intros y []).
      apply continue_refuted_ok; [exact K |].
      apply (close_refuted_ok g _ _ _ _ (S k) x); auto using refuted_known_store.
    + split; [exact K |].
      constructor; cbn [refuted_waiting refuted_position]; [exact node | exact linked].
Qed.

Lemma open_first_ok : forall b n omitted opened k,
  kept_ok b -> (none_solvable g k opened -> section_true q (Refuted n omitted)) ->
  state_ok (open_first b n omitted opened k).
Proof.
  intros b n omitted [| next rest] k K T; unfold open_first.
  - apply end_refuted_ok; [exact K | apply T; intros y []].
  - split; [exact K | constructor; exact T].
Qed.

Lemma first_refuted_ok : forall b n omitted text,
  kept_ok b -> (attacker_begins q = false -> omitted = Nothing) -> result_ok (first_refuted b n omitted text).
Proof.
  intros b n omitted text K only; unfold first_refuted; cbv zeta.
  rewrite (goal_is b K), (diagram_is b K), (begins_is b K).
  destruct (read_refutation_line text) as [[l | replies] |]; try exact I.
  destruct (attacker_begins q) eqn:begins.
  - destruct n as [| k]; [exact I |].
    destruct (refute_all _ _ _ _ _ _ _) as [opened |] eqn:All; cbn [demand]; [| exact I].
    apply open_first_ok; [exact K |]; intros none; cbn [section_true]; rewrite begins.
    intros m C [_ [legal w]].
    exact (refute_all_ok g _ _ _ _ _ _ _ All none m legal C w).
  - destruct replies as [| [name [numbers |]] [| ? ?]]; try exact I.
    destruct (reply_move g p name) as [d |] eqn:R; cbn [demand]; [| exact I].
    destruct (after_reply g n p d) as [opened |] eqn:A; cbn [demand]; [| exact I].
    apply open_first_ok; [exact K |]; intros none; cbn [section_true]; rewrite begins.
    split; [apply only; reflexivity |].
    exact (after_reply_ok g n p d opened A (reply_move_spec g p name d R) none).
Qed.

Lemma no_key : forall n omitted, attacker_begins q = true -> ~ solvable g n p -> section_true q (Refuted n omitted).
Proof.
  intros n omitted begins none; cbn [section_true]; rewrite begins.
  intros m _ K; apply none; apply solvable_key; exists m; exact K.
Qed.

Lemma begin_refuted_ok : forall b n omitted, kept_ok b -> result_ok (begin_refuted b n omitted).
Proof.
  intros b n omitted K; unfold begin_refuted; cbv zeta.
  rewrite (goal_is b K), (diagram_is b K), (begins_is b K).
  destruct (attacker_begins q) eqn:begins.
  - destruct (negb (stands_after_defence g p)); [| exact I].
    destruct n as [| [| n]]; [exact I | |].
    + destruct (attacker_must_end g p || _) eqn:E; [| exact I].
      apply end_refuted_ok; [exact K |].
      apply orb_true_iff in E; destruct E as [must | all].
      * apply no_key; [exact begins | apply must_end_not_solvable; exact must].
      * cbn [section_true]; rewrite begins; intros m C [_ [legal w]].
        rewrite forallb_forall in all; specialize (all m legal).
        rewrite C in all; apply negb_true_iff in all.
        apply reached_now_spec in w; cbn [andb] in all; exact (eq_true_false_abs _ w all).
    + destruct (closed g (S (S n)) p) eqn:C.
      * apply end_refuted_ok; [exact K |]; apply no_key; [exact begins | apply closed_ok; exact C].
      * split; [exact K | congruence].
  - destruct omitted; try exact I.
    destruct (stands_after_attack g p) eqn:stands; [exact I |]; simpl negb; cbv iota.
    destruct (has_move p) eqn:has.
    + split; [exact K | reflexivity].
    + apply end_refuted_ok; [exact K |]; cbn [section_true]; rewrite begins.
      split; [reflexivity | apply no_move_not_won; assumption].
Qed.

(** ** All lines *)

Lemma begin_section_ok : forall b text, kept_ok b -> result_ok (begin_section b text).
Proof.
  intros b text K; unfold begin_section.
  destruct (read_heading (diagram_of b) text) as [[n | n omitted] |]; cbn [demand]; [exact K | | exact I].
  apply begin_refuted_ok; exact K.
Qed.

Lemma step_ok : forall line s text, state_ok s -> state_ok (step line s text).
Proof.
  intros line s text H; destruct s; cbn [step state_ok] in *; try (apply to_state_ok); try exact I.
  - contradiction.
  - apply begin_section_ok; exact H.
  - apply first_shown_ok; exact H.
  - destruct H as [K [root [linked T]]]; apply (shown_step_ok _ _ _ _ root); assumption.
  - apply first_refuted_ok; apply H.
  - apply refuted_step_ok; apply H.
Qed.

Lemma run_ok : forall lines line s, state_ok s -> state_ok (run line s lines).
Proof.
  induction lines as [| text rest IH]; intros line s H; [exact H |].
  apply IH; apply step_ok; exact H.
Qed.

Lemma finish_ok : forall s h',
  state_ok s -> finish s = Accepted h' -> h' = h /\ forall c, In c (claims h) -> claim_true q c.
Proof.
  intros s h' H; destruct s as [lines | b | | | | | |]; cbn [finish state_ok] in *; try discriminate; try contradiction.
  destruct (fits (head b) (rev (sections b))) eqn:F; [| discriminate].
  intros E; injection E as <-; destruct H as [same [_ [_ all]]]; rewrite same in *.
  split; [reflexivity |].
  apply (fits_ok h (rev (sections b)) F); apply Forall_rev; exact all.
Qed.

End Certificate.

(** ** The header *)

Lemma refused_stays : forall lines line why h, finish (run line (NoCertificate why) lines) <> Accepted h.
Proof. induction lines as [| text rest IH]; intros line why h; [discriminate | apply IH]. Qed.

Lemma header_ok : forall lines line before h,
  finish (run line (InHeader before) lines) = Accepted h ->
  exists header_lines rest,
    (rev before ++ lines)%list = (header_lines ++ rest)%list
    /\ read_header header_lines = Ok h
    /\ forall c, In c (claims h) -> claim_true (problem_of h) c.
Proof.
  induction lines as [| text rest IH]; intros line before h.
  - cbn [run finish]; destruct (read_header (rev before)); discriminate.
  - cbn [run step]; unfold header_step.
    assert (on : finish (run (N.succ line) (InHeader (text :: before)) rest) = Accepted h ->
      exists header_lines rest',
        (rev before ++ text :: rest)%list = (header_lines ++ rest')%list
        /\ read_header header_lines = Ok h
        /\ forall c, In c (claims h) -> claim_true (problem_of h) c).
    { intros H; destruct (IH _ _ _ H) as [header_lines [rest' [E found]]].
      exists header_lines, rest'; split; [| exact found].
      rewrite <- E; simpl; rewrite <- app_assoc; reflexivity. }
    assert (begin :
      finish (run (N.succ line)
        (match after "proof " text with
         | None => if Nat.leb header_limit (List.length before)
                   then NoCertificate "the header is too long" else InHeader (text :: before)
         | Some _ =>
             match read_header (rev before) with
             | Ok h => to_state line (begin_section (Kept h (PositiveMap.empty _) (PositiveMap.empty _) []) text)
             | Error why => NoCertificate why
             end
         end) rest) = Accepted h ->
      exists header_lines rest',
        (rev before ++ text :: rest)%list = (header_lines ++ rest')%list
        /\ read_header header_lines = Ok h
        /\ forall c, In c (claims h) -> claim_true (problem_of h) c).
    { destruct (after "proof " text).
      - destruct (read_header (rev before)) as [h' | why] eqn:R; intros H.
        + assert (ok : state_ok h'
            (to_state line (begin_section (Kept h' (PositiveMap.empty _) (PositiveMap.empty _) []) text))).
          { apply to_state_ok; apply begin_section_ok.
            split; [reflexivity |]; split; [apply shown_known_empty |]; split; [apply refuted_known_empty |].
            constructor. }
          apply (run_ok h' rest (N.succ line)) in ok.
          destruct (finish_ok h' _ h ok H) as [-> claims_true].
          exists (rev before), (text :: rest); auto.
        + contradiction (refused_stays rest (N.succ line) why h).
      - destruct (Nat.leb header_limit (List.length before)); [| exact on].
        intros H; contradiction (refused_stays rest (N.succ line) "the header is too long"%string h). }
    destruct before as [| b before]; destruct (String.eqb text title); try exact begin.
    intros H; contradiction (refused_stays _ _ _ _ H).
Qed.

(** If the checker accepts a certificate, its first lines are a header, and each claim of this header is true of the
    diagram in it. *)
Theorem accepted_claims_are_true : forall lines h,
  check lines = Accepted h ->
  exists header_lines rest,
    lines = (header_lines ++ rest)%list
    /\ read_header header_lines = Ok h
    /\ forall c, In c (claims h) -> claim_true (problem_of h) c.
Proof. intros lines h H; exact (header_ok lines 1 [] h H). Qed.

(** The same for mates, in the words of [Game.v]. *)
Corollary accepted_mate : forall lines h n,
  check lines = Accepted h -> In (Solved n) (claims h) ->
  goal_of (problem_of h) = Mate -> attacker_begins (problem_of h) = true ->
  mate_in n (diagram (problem_of h)).
Proof.
  intros lines h n A C goal begins.
  destruct (accepted_claims_are_true lines h A) as [header_lines [rest [_ [_ all]]]].
  specialize (all _ C); cbn [claim_true] in all; unfold solution_in in all.
  rewrite begins, goal in all; exact all.
Qed.

Corollary accepted_no_mate : forall lines h n,
  check lines = Accepted h -> In (NoSolution n) (claims h) ->
  goal_of (problem_of h) = Mate -> attacker_begins (problem_of h) = true ->
  no_mate_in n (diagram (problem_of h)).
Proof.
  intros lines h n A C goal begins.
  destruct (accepted_claims_are_true lines h A) as [header_lines [rest [_ [_ all]]]].
  specialize (all _ C); cbn [claim_true] in all; unfold solution_in in all.
  rewrite begins, goal in all; exact all.
Qed.
