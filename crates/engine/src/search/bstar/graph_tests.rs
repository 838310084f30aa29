//! Tests of the graph: memory, cut edges, and garbage collection.

use shakmaty::{Role, Square};

use crate::chess::{Move, NodeKind};
use crate::search::arena::Heap;
use crate::search::horizon::Horizon;

use super::graph::{Edge, Graph, Leaf, Node, NodeId, cut_edge, open_edges};
use super::value::Cost;

fn leaf(key: u64) -> Node {
    let leaf = Leaf { attack: Cost::HALF, defence: Cost::HALF, optimum: 2 };
    Node::new(NodeKind::Or, key, leaf, Horizon::NONE)
}

fn played() -> Move {
    Move::normal(Square::A1, Square::A2, Role::Rook, None, None)
}

#[test]
fn nodes_take_40_bytes_and_edges_16() {
    assert_eq!((size_of::<Node>(), size_of::<Edge>()), (40, 16));
}

#[test]
fn the_graph_never_takes_more_than_its_memory() {
    let mut graph = Graph::new(Heap, 3_000_000);
    let mut key = 1_u64;
    while graph.make_room(1) {
        graph.add(leaf(key));
        key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1);
        assert!(graph.bytes() <= 3_000_000, "{}", graph.bytes());
    }
    assert!(graph.len() > 20_000, "{}", graph.len());
}

#[test]
fn cut_edges_are_opened_where_the_child_is_not_on_the_path() {
    let mut graph = Graph::new(Heap, 1 << 20);
    assert!(graph.make_room(3));
    let (a, b, c) = (graph.add(leaf(1)), graph.add(leaf(2)), graph.add(leaf(3)));
    graph.expand(a, [(played(), b), (played(), c)]);
    cut_edge(&mut graph, a, 0);
    cut_edge(&mut graph, a, 1);
    graph.node_mut(b).set_on_path(true);
    assert!(open_edges(&mut graph, a, |child| !child.is_on_path()));
    assert_eq!(graph.edges(a).map(Edge::is_cut).collect::<Vec<_>>(), [true, false]);
    assert!(graph.node(a).is_marked() && !open_edges(&mut graph, a, |child| !child.is_on_path()));
    let parents: Vec<NodeId> = graph.first_parent(c).iter().map(|edge| edge.parent).collect();
    assert_eq!(parents, [a]);
}

#[test]
fn a_collection_keeps_what_matters_and_frees_the_rest() {
    let mut graph = Graph::new(Heap, 1 << 20);
    assert!(graph.make_room(4));
    let ids = [1, 2, 3, 4].map(|key| graph.add(leaf(key)));
    let [a, b, c, d] = ids;
    graph.expand(b, [(played(), d)]);
    graph.expand(a, [(played(), b), (played(), c)]);
    cut_edge(&mut graph, a, 1);
    graph.node_mut(b).set_refuted();
    graph.node_mut(a).best = 1;
    let root = graph.collect(a).root;
    // The refuted move and everything below it are gone.
    assert_eq!((graph.len(), graph.node(root).key, graph.node(root).best), (2, 1, 0));
    let kept: Vec<(u64, bool)> = graph.edges(root).map(|edge| (graph.node(edge.child()).key, edge.is_cut())).collect();
    assert_eq!(kept, [(3, true)]);
    assert_eq!((graph.find(1), graph.find(2), graph.find(4)), (Some(root), None, None));
    // Trimming turns the node above a leaf into a leaf, but not the root.
    let above = graph.find(3).unwrap();
    let below = graph.add(leaf(5));
    graph.expand(above, [(played(), below)]);
    let root = graph.trim(root).root;
    let above = graph.find(3).unwrap();
    assert_eq!((graph.len(), graph.node(above).is_expanded(), graph.node(root).is_expanded()), (2, false, true));
}
