import Foundation
import Testing
import UndercroftCore
import UndercroftSync

@Suite struct SyncPageTests {
  private func page(
    from: Int64 = 9, to: Int64 = 12, hasMore: Bool = false, head: Int64 = 12,
    versions: [Int64] = [10, 12]
  ) -> PullAnswer {
    .page(
      SyncPage(
        epoch: "E", replica: "R", from: from, to: to, hasMore: hasMore, head: head, serverTime: 0,
        rows: versions.map {
          PulledRow(
            table: "book", dataIdentifier: DataIdentifier("b\($0)"), version: $0,
            hybridTimestamp: .zero,
            fields: nil)
        }))
  }

  private func isRefused(_ answer: PullAnswer) throws -> Bool {
    let data = try answer.encoded()
    do throws(StorageError) {
      _ = try PullAnswer(decoding: data)
      return false
    } catch { return true }
  }

  @Test
  func `a page of changes is refused if row versions are outside its range or do not ascend`()
    throws
  {
    #expect(try !isRefused(page()))
    #expect(try isRefused(page(versions: [12, 10])))
    #expect(try isRefused(page(versions: [10, 10])))
    #expect(try isRefused(page(versions: [9])))
    #expect(try isRefused(page(versions: [13])))
  }

  @Test
  func `a page of changes with an invalid end is refused, as is an empty page before the last`()
    throws
  {
    #expect(try isRefused(page(from: 12, to: 9, versions: [])))
    #expect(try isRefused(page(to: 13, head: 12, versions: [])))
    #expect(try isRefused(page(from: 12, to: 12, hasMore: true, versions: [])))
    #expect(try !isRefused(page(from: 12, to: 12, versions: [])))
  }

  @Test
  func `an empty page of changes is read even if it starts after the server's newest version`()
    throws
  {
    #expect(try !isRefused(page(from: 15, to: 15, head: 12, versions: [])))
  }

  @Test
  func `a pulled page of changes is refused if a row that is not deleted has no fields`() throws {
    let data = try page().encoded()
    let text = String(decoding: data, as: UTF8.self).replacing(
      #""deleted":true"#, with: #""deleted":false"#)

    let error = #expect(throws: StorageError.self) { try PullAnswer(decoding: Data(text.utf8)) }

    #expect(
      error?.message
        == "cannot decode the answer to a pull request: \"changes[0]\": "
        + "the member \"fields\" is missing or null; compare the message with "
        + "Docs/Formats/SyncWire.md, and correct the program that sent the message")
  }
}
