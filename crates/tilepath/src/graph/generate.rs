//! Graphs of a regular shape.

use crate::{
    graph::{Graph, error::GraphError, network::NODE_LIMIT, node::NodeId},
    position::Position,
};

/// The neighbours of a node to which [`Graph::grid`] adds edges.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
#[non_exhaustive]
pub enum GridNeighbours {
    /// The nodes to the left, to the right, above and below.
    Four,
    /// The nodes of `Four`, and the four diagonal neighbours.
    #[default]
    Eight,
}

impl GridNeighbours {
    /// Returns the offset in columns and rows to each neighbour, row by row.
    const fn offsets(self) -> &'static [(i64, i64)] {
        match self {
            Self::Four => &[(0, -1), (-1, 0), (1, 0), (0, 1)],
            Self::Eight => &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)],
        }
    }
}

impl Graph {
    /// Returns a graph whose nodes form a grid. A rectangle of size `width` × `height` is divided
    /// into `columns` × `rows` equal parts, with a node at the centre of each part. Edges lead in
    /// both directions between neighbours, and cost the distance between the two nodes.
    ///
    /// The node in a column and a row has the number row × columns + column. Columns and rows count
    /// from 0, in the direction of x and y.
    ///
    /// # Errors
    /// - [`GraphError::TooManyNodes`], before memory is allocated.
    /// - [`GraphError::InvalidPosition`] if a width or height is negative or not finite.
    /// - [`GraphError::InvalidCost`] if a distance is too large to be represented.
    ///
    /// # Examples
    /// ```
    /// use tilepath::graph::{Graph, GridNeighbours, NodeId, Position};
    ///
    /// let graph = Graph::grid(7, 7, 550.0, 400.0, GridNeighbours::Eight)?;
    /// assert_eq!((graph.node_count(), graph.edge_count()), (49, 312));
    /// assert_eq!(graph.position(NodeId::new(24)), Some(Position::new(275.0, 200.0)));
    /// # Ok::<(), tilepath::graph::GraphError>(())
    /// ```
    pub fn grid(
        columns: u32,
        rows: u32,
        width: f64,
        height: f64,
        neighbours: GridNeighbours,
    ) -> Result<Self, GraphError> {
        let position = Position::new(width, height);
        if !position.is_finite() || width < 0.0 || height < 0.0 {
            return Err(GraphError::InvalidPosition { position });
        }
        if u64::from(columns) * u64::from(rows) > NODE_LIMIT as u64 {
            return Err(GraphError::TooManyNodes { limit: NODE_LIMIT });
        }
        let mut graph = Self::new();
        let middle =
            |place: u32, count: u32, length: f64| (f64::from(place) + 0.5) / f64::from(count) * length;
        for row in 0..rows {
            for column in 0..columns {
                graph.add_node_at(middle(column, columns, width), middle(row, rows, height))?;
            }
        }
        for row in 0..rows {
            for column in 0..columns {
                for (dx, dy) in neighbours.offsets() {
                    let (x, y) = (i64::from(column) + dx, i64::from(row) + dy);
                    if (0..i64::from(columns)).contains(&x) && (0..i64::from(rows)).contains(&y) {
                        let [from, to] =
                            [(column, row), (x as u32, y as u32)].map(|(x, y)| NodeId::new(y * columns + x));
                        graph.add_edge_by_distance(from, to)?;
                    }
                }
            }
        }
        Ok(graph)
    }
}
