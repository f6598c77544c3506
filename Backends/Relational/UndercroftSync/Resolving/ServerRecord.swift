package import UndercroftCore

/// A row as the server stores it, also after its deletion.
package struct ServerRecord: Hashable, Sendable {
  /// The version of the scope at the last change of the row.
  package var version: Int64
  /// Whether the row is deleted and remains as a tombstone.
  package var isDeleted: Bool
  /// The time of the latest change.
  package var hybridTimestamp: HybridTimestamp
  /// The replica that changed the row last.
  package var writer: ReplicaIdentifier
  /// The values of all columns, including counters.
  package var fields: FieldValues
  /// The last write of each column that is not a counter.
  package var writes: [ExactString: FieldWrite]
  /// The last additions to each counter.
  package var additions: [ExactString: CounterWrites]
  /// Whether the tombstone of the row is never removed.
  ///
  /// If a replica inserted the row before it had received anything from a server, a copy of the
  /// replica's file can send this insertion at any later time. The insertion states no version of
  /// the scope, so the server cannot detect that it is too old. Without the tombstone, the server
  /// would insert the deleted row again.
  package var isRetained: Bool

  package init(
    version: Int64, isDeleted: Bool = false, hybridTimestamp: HybridTimestamp,
    writer: ReplicaIdentifier, fields: FieldValues, writes: [ExactString: FieldWrite],
    additions: [ExactString: CounterWrites] = [:], isRetained: Bool = false
  ) {
    self.version = version
    self.isDeleted = isDeleted
    self.hybridTimestamp = hybridTimestamp
    self.writer = writer
    self.fields = fields
    self.writes = writes
    self.additions = additions
    self.isRetained = isRetained
  }

  /// The author of the latest change.
  var author: ChangeAuthor { ChangeAuthor(replica: writer, hybridTimestamp: hybridTimestamp) }
}

/// The last write of a column.
package struct FieldWrite: Hashable, Sendable {
  package var version: Int64
  package var author: ChangeAuthor

  package init(version: Int64, author: ChangeAuthor) {
    self.version = version
    self.author = author
  }
}

/// The two most recent additions to a counter by different replicas.
package struct CounterWrites: Hashable, Sendable {
  package private(set) var last: FieldWrite
  /// The last addition by a replica other than the replica of ``last``, or `nil` if there is none.
  package private(set) var lastByOther: FieldWrite?

  package init(last: FieldWrite, lastByOther: FieldWrite? = nil) {
    self.last = last
    self.lastByOther = lastByOther
  }

  /// Makes `write` the last addition.
  package mutating func record(_ write: FieldWrite) {
    if last.author.replica != write.author.replica { lastByOther = last }
    last = write
  }

  /// Returns the last addition by any replica other than `replica`, or `nil` if there is none.
  package func last(notBy replica: ReplicaIdentifier) -> FieldWrite? {
    last.author.replica == replica ? lastByOther : last
  }
}
