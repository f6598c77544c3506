extension Connection {
  /// Whether ``mark(_:)`` was called with this object since the schema changed last, as far as this connection knows.
  package func isMarked(_ object: AnyObject) -> Bool {
    state.marks[ObjectIdentifier(object)] != nil
  }

  /// Remembers that something about the schema has been seen to be in order.
  package func mark(_ object: AnyObject) { state.marks[ObjectIdentifier(object)] = object }

  /// Whether it may write.
  package var isWriter: Bool { mayWrite }
}
