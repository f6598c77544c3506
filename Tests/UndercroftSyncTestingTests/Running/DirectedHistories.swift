import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Hand-written histories, each of which fails if one protocol rule is disabled.
///
/// They exist for the rules without which fewer than one in 100 random histories fails.
///
/// Each history returns a description of the violated guarantee, or `nil` if none is violated.
enum DirectedHistories {
  typealias History = @Sendable (_ library: DirectedLibrary) throws -> String?

  /// Two pages of a pull arrive a second time.
  ///
  /// The first page contains a row that was deleted later, and the second page begins after the
  /// deletion.
  static let repeatedPages: History = { library in
    let (north, south) = (try library.device(), try library.device())
    try north.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    try north.edit("INSERT INTO book(id, title) VALUES ('b2', 'Emma')")
    try north.synchronise()
    try south.beginSnapshot()
    let early = try south.pullPage(limit: 1)
    try north.edit("DELETE FROM book WHERE id = 'b1'")
    try north.synchronise()
    try south.pull()
    try north.edit("INSERT INTO book(id, title) VALUES ('b3', 'Ubik')")
    try north.synchronise()
    let late = try south.pullPage(limit: 10)

    try south.accept(early)
    try south.accept(late)

    return try library.violation([north, south])
  }

  /// Two copies of a file seal different operations, and then the same operation.
  ///
  /// The server does not receive the different operation of one of the copies.
  ///
  /// The first packet of one of them is lost.
  static let copiesWithEqualEnds: History = { library in
    let north = try library.device()
    try north.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    try north.edit("INSERT INTO book(id, title) VALUES ('b2', 'Emma')")
    try north.synchronise()
    try north.edit("UPDATE book SET note = 'torn' WHERE id = 'b1'")
    try north.edit("UPDATE book SET note = 'new' WHERE id = 'b2'")
    let south = try north.copy()
    try north.edit("UPDATE book SET title = 'Northern' WHERE id = 'b1'")
    try north.synchronise()
    try south.edit("UPDATE book SET title = 'Southern' WHERE id = 'b1'")
    try south.seal()
    if let last = try south.packets().last { try south.send(last) }

    try south.edit("UPDATE book SET title = 'Southern again' WHERE id = 'b1'")
    try south.seal()
    if let last = try south.packets().last { try south.send(last) }

    return try library.violation([north, south], titles: ["Northern", "Southern again"])
  }

  /// A device changes a column twice.
  ///
  /// After the first change, which loses, the device pulls another device's value, which the first
  /// change hides from its user.
  static let hiddenValue: History = { library in
    let (north, south) = (try library.device(), try library.device())
    try north.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    try north.synchronise()
    try south.synchronise()
    try south.edit("UPDATE book SET title = 'Southern' WHERE id = 'b1'")
    try south.seal()
    try north.edit("UPDATE book SET title = 'Northern' WHERE id = 'b1'")
    try north.synchronise()
    try south.pull()

    try south.edit("UPDATE book SET title = 'Southern again' WHERE id = 'b1'")

    return try library.violation([north, south], titles: ["Northern", "Southern again"])
  }

  /// A row changes twice between two pages.
  ///
  /// The pulled page ends between the two changes. So it contains no version of the row, and the
  /// device has not seen the first change although its cursor is beyond it.
  static let rowBeyondCursor: History = { library in
    let (north, south) = (try library.device(), try library.device())
    try north.edit("INSERT INTO book(id, title) VALUES ('b1', 'Dune')")
    try north.synchronise()
    try south.synchronise()
    try north.edit("UPDATE book SET title = 'Northern' WHERE id = 'b1'")
    try north.synchronise()
    try north.edit("INSERT INTO book(id, title) VALUES ('b2', 'Emma')")
    try north.synchronise()
    try north.edit("UPDATE book SET note = 'torn' WHERE id = 'b1'")
    try north.synchronise()
    try south.pullPage(limit: 1)

    try south.edit("UPDATE book SET title = 'Southern' WHERE id = 'b1'")

    return try library.violation([north, south], titles: ["Northern", "Southern"])
  }

  /// The server removes a tombstone before a device has pulled the deletion.
  ///
  /// The server retains the tombstones of rows whose device had received no version of the scope
  /// when it inserted them, so another row is inserted before.
  static let compactionBeforePull: History = { library in
    let (north, south) = (try library.device(), try library.device())
    for book in ["b0", "b1"] {
      try north.edit("INSERT INTO book(id, title) VALUES (\(book), 'Dune')")
      try north.synchronise()
    }
    try south.synchronise()
    try north.edit("DELETE FROM book WHERE id = 'b1'")
    try north.synchronise()

    let head = try library.server.head(of: DirectedLibrary.scope) ?? 0
    try library.server.compact(DirectedLibrary.scope, through: head)

    return try library.violation([north, south])
  }

  /// The server removes a tombstone while a device pulls a snapshot.
  ///
  /// The device has pulled the row on an earlier page of the snapshot, and does not receive the
  /// deletion. Another row is inserted before, as in ``compactionBeforePull``.
  static let compactionDuringSnapshot: History = { library in
    let (north, south) = (try library.device(), try library.device())
    try north.edit("INSERT INTO book(id, title) VALUES ('b0', 'Dune')")
    try north.synchronise()
    for book in ["b1", "b2", "b3"] {
      try north.edit("INSERT INTO book(id, title) VALUES (\(book), 'Dune')")
    }
    try north.synchronise()
    try south.beginSnapshot()
    try south.pullPage(limit: 2)
    try north.edit("DELETE FROM book WHERE id = 'b1'")
    try north.synchronise()

    let head = try library.server.head(of: DirectedLibrary.scope) ?? 0
    try library.server.compact(DirectedLibrary.scope, through: head)

    return try library.violation([north, south])
  }
}
