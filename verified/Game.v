(** What the claims of a certificate mean: statements about games from a position. *)

Require Import List Bool PeanoNat.
Require Import Board Moves.
Import ListNotations.

(** The goals: [#], [=], [s#], [s=], [semi-r#], [r#], [semi-r=] and [r=]. *)
Inductive goal :=
  Mate | Stalemate | Selfmate | SelfStalemate | SemiReflex | Reflex | SemiReflexStalemate | ReflexStalemate.

(** Whether the goal stands on the board when the defender is to move: after a move of the attacker. *)
Definition stands_after_attack (g : goal) (p : position) : bool :=
  match g with
  | Mate => checkmate p
  | Stalemate => stalemate p
  | _ => false
  end.

(** Whether the goal stands on the board when the attacker is to move: after a move of the defender. *)
Definition stands_after_defence (g : goal) (p : position) : bool :=
  match g with
  | Mate | Stalemate => false
  | SelfStalemate | SemiReflexStalemate | ReflexStalemate => stalemate p
  | Selfmate | SemiReflex | Reflex => checkmate p
  end.

(** Whether a move brings about the end that the duties are about, and whether the side to move has one that does:
    stalemate in [semi-r=] and [r=], mate in the other goals. *)
Definition ends (g : goal) (p : position) (m : move) : bool :=
  match g with
  | SemiReflexStalemate | ReflexStalemate => stalemate (play p m)
  | _ => checkmate (play p m)
  end.
Definition can_end (g : goal) (p : position) : bool :=
  existsb (fun m => is_safe p m && ends g p m) (pseudo_moves p).

(** The defender's duty in reflex and semi-reflex play: if he can mate, or stalemate, he must. *)
Definition defender_must_end (g : goal) (p : position) : bool :=
  match g with
  | SemiReflex | Reflex | SemiReflexStalemate | ReflexStalemate => can_end g p
  | _ => false
  end.

(** The attacker's duty in [r#] and [r=]: if he can, he must, and has failed. *)
Definition attacker_must_end (g : goal) (p : position) : bool :=
  match g with Reflex | ReflexStalemate => can_end g p | _ => false end.

(** The moves that the duties leave to the defender, in the order of moves. *)
Definition defences (g : goal) (p : position) : list move :=
  let must := defender_must_end g p in
  filter (fun m => negb must || ends g p m) (legal_moves p).

(** The same question for one move. *)
Definition is_defence (g : goal) (p : position) (m : move) : bool :=
  let must := defender_must_end g p in negb must || ends g p m.

(** ** Reaching the goal *)

(** The defender to move: the goal stands on the board, or he has a move, and after each move that his duties leave him
    the goal stands or the attacker reaches it. [attack] says from which positions the attacker does. *)
Definition holds_after (g : goal) (attack : position -> Prop) (p : position) : Prop :=
  stands_after_attack g p = true
  \/ ((exists d, In d (defences g p))
      /\ forall d, In d (defences g p) -> stands_after_defence g (play p d) = true \/ attack (play p d)).

(** The attacker to move: he reaches the goal within [n] moves of his. *)
Fixpoint solvable (g : goal) (n : nat) (p : position) : Prop :=
  match n with
  | O => False
  | S k =>
      attacker_must_end g p = false
      /\ exists m, In m (legal_moves p) /\ holds_after g (solvable g k) (play p m)
  end.

(** The defender to move: the attacker reaches the goal within [n] moves of his. *)
Definition won (g : goal) (n : nat) (p : position) : Prop := holds_after g (solvable g n) p.

(** A move of the attacker that reaches the goal within [n] moves, this move counted. *)
Definition key (g : goal) (n : nat) (p : position) (m : move) : Prop :=
  match n with
  | O => False
  | S k => attacker_must_end g p = false /\ In m (legal_moves p) /\ won g k (play p m)
  end.

(** The same words for the goal of most problems. *)
Definition mate_in (n : nat) (p : position) : Prop := solvable Mate n p.
Definition no_mate_in (n : nat) (p : position) : Prop := ~ mate_in n p.

(** [mate_in], with the definitions of the goal [#] put in. *)
Lemma mate_in_meaning : forall n p,
  mate_in (S n) p <->
  exists m, In m (legal_moves p)
    /\ (checkmate (play p m) = true
        \/ ((exists d, In d (legal_moves (play p m)))
            /\ forall d, In d (legal_moves (play p m)) -> mate_in n (play (play p m) d))).
Proof.
  intros n p.
  assert (all : forall q d, In d (defences Mate q) <-> In d (legal_moves q)).
  { intros q d; unfold defences; simpl; rewrite filter_In; tauto. }
  unfold mate_in; simpl; unfold holds_after; simpl; split.
  - intros [_ [m [legal [mate | [[d D] every]]]]]; exists m; split; auto; right; split.
    + exists d; apply all; exact D.
    + intros e E; apply all in E; destruct (every e E) as [absurd | H]; [discriminate | exact H].
  - intros [m [legal rest]]; split; [reflexivity |]; exists m; split; [exact legal |].
    destruct rest as [mate | [[d D] every]]; [left; exact mate | right; split].
    + exists d; apply all; exact D.
    + intros e E; right; apply every; apply all; exact E.
Qed.

(** ** Claims about a diagram *)

Inductive verdict := NoKey | Sound (keys : list move) | Cooked (keys : list move) | Short (keys : list move).

Inductive claim :=
| Solved (n : nat)
| NoSolution (n : nat)
| Verdict (v : verdict).

(** The diagram, the goal, the number of moves in the stipulation, the number of solutions that the author intends, and
    whether the attacker begins. *)
Record problem := Problem {
  diagram : position;
  goal_of : goal;
  moves_of : nat;
  intended : nat;
  attacker_begins : bool;
}.

Definition solution_in (q : problem) (n : nat) : Prop :=
  if attacker_begins q then solvable (goal_of q) n (diagram q) else won (goal_of q) n (diagram q).

(** [keys] are all the keys, each once. *)
Definition keys_are (q : problem) (keys : list move) : Prop :=
  NoDup keys /\ forall m, In m keys <-> key (goal_of q) (moves_of q) (diagram q) m.

Definition shorter_key (q : problem) (m : move) : Prop := key (goal_of q) (moves_of q - 1) (diagram q) m.

Definition verdict_true (q : problem) (v : verdict) : Prop :=
  match v with
  | NoKey => keys_are q []
  | Sound keys => keys_are q keys /\ length keys = intended q /\ forall m, ~ shorter_key q m
  | Cooked keys => keys_are q keys /\ intended q < length keys /\ forall m, ~ shorter_key q m
  | Short keys => keys_are q keys /\ exists m, shorter_key q m
  end.

Definition claim_true (q : problem) (c : claim) : Prop :=
  match c with
  | Solved n => solution_in q n
  | NoSolution n => ~ solution_in q n
  | Verdict v => attacker_begins q = true /\ verdict_true q v
  end.
