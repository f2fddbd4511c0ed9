//! Doubles for the edge of the world: scripted planner, scripted model server, temporary home, crash points.
