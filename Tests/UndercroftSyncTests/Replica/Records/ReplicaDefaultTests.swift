import Testing
import UndercroftCore
import UndercroftSQLite
import UndercroftSync

/// Tests of columns for which the server's row has no value.
///
/// An older version of the application inserted the row.
@Suite struct ReplicaDefaultTests {
  @Test
  func `a local value that loses a conflict becomes NULL if the server's row lacks the column`()
    throws
  {
    let branch = try Town().branch()
    try branch.receive([.book("b1", 1, ["title": .text("Dune"), "copies": .integer(0)])])
    _ = try branch.replica.execute(limit: 10)
    try branch.edit("UPDATE book SET note = 'lost'")
    try branch.seal()

    let operation = try #require(try branch.sent.first)
    let state = try branch.replica.state()
    try branch.replica.accept(
      .results(
        PushResults(
          epoch: state.epoch ?? "", replica: state.replica, lastSequence: 1, lastChain: nil,
          results: [
            OperationResult(
              operationIdentifier: operation.operationIdentifier, sequence: 1, status: .applied,
              version: 2)
          ], head: 2, serverTime: 0)))
    try branch.receive([.book("b1", 2, ["title": .text("Dune"), "copies": .integer(1)])])
    _ = try branch.replica.execute(limit: 10)

    #expect(try branch.value("SELECT note FROM book", as: String?.self) == nil)
    #expect(try branch.copies() == 1)
  }

  @Test func `a counter that a pulled row lacks gets the default value of the column`() throws {
    let branch = try Town().branch()
    try branch.receive([.book("b1", 1, ["title": .text("Dune"), "copies": .integer(5)])])
    _ = try branch.replica.execute(limit: 10)

    try branch.receive([.book("b1", 2, ["title": .text("Dune")])])
    _ = try branch.replica.execute(limit: 10)

    #expect(try branch.copies() == 0)
  }
}
