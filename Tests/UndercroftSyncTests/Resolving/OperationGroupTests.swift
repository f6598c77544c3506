import Testing
import UndercroftCore
import UndercroftSync

@Suite struct OperationGroupTests {
  private func loan(_ row: DataIdentifier, _ change: OperationChange) -> SyncOperation {
    SyncOperation(
      operationIdentifier: OperationIdentifier("\(row)/\(change.kind)"), sequence: 1, table: "loan",
      dataIdentifier: row, change: change, timestamp: 0,
      hybridTimestamp: HybridTimestamp(milliseconds: Desk.now), group: "g")
  }

  private let resolver = OperationResolver(replica: "ann", now: Desk.now)

  @Test
  func `operations of a group see earlier changes of the group and get successive version numbers`()
  {
    let group = [
      loan("l1", .insert(["reader": .text("Ann")])), loan("l2", .insert(["reader": .text("Bob")])),
      loan("l1", .update(["reader": .text("Zoe")])), loan("l3", .delete),
    ]

    let resolutions = resolver.resolve(group: group, after: 7) { _ in nil }

    #expect(resolutions.map(\.status) == [.applied, .applied, .applied, .applied])
    #expect(resolutions.map(\.version) == [8, 9, 10, 0])
    #expect(resolutions[2].record?.fields == ["reader": .text("Zoe")])
  }

  @Test func `if one operation of a group is not applied, no operation of the group is applied`() {
    let group = [
      loan("l1", .insert(["reader": .text("Ann")])), loan("l2", .update(["reader": .text("Bob")])),
      loan("l3", .insert(["reader": .text("Zoe")])),
    ]

    let resolutions = resolver.resolve(group: group, after: 7) { _ in nil }

    #expect(resolutions.map(\.status) == [.groupAborted, .lost, .groupAborted])
    #expect(resolutions.map(\.version) == [0, 0, 0])
    #expect(resolutions.allSatisfy { $0.record == nil })
    #expect(
      resolutions.flatMap(\.conflicts).map(\.kind)
        == [.groupAborted, .updateOfMissingRow, .groupAborted])
    #expect(
      resolutions.compactMap { $0.conflicts.first?.values["reader"]?.value }
        == [.text("Ann"), .text("Bob"), .text("Zoe")])
  }

  @Test
  func `resolving a group of operations rethrows an error that is thrown while a row is read`() {
    struct Unreadable: Error {}
    func read(_ address: RowAddress) throws -> ServerRecord? { throw Unreadable() }

    #expect(throws: Unreadable.self) {
      try resolver.resolve(group: [loan("l1", .delete)], after: 0, record: read)
    }
  }

  @Test func `applying a group of operations at the maximum version number does not trap`() {
    let resolutions = resolver.resolve(
      group: [loan("l1", .insert(["reader": .null]))], after: .max
    ) { _ in nil }

    #expect(resolutions.map(\.status) == [.applied])
  }
}
