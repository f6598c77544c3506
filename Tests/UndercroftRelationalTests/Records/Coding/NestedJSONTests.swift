import Foundation
import TestSupport
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

/// Tests of JSON columns at the maximum nesting depth, on a thread with a small stack.
@Suite struct NestedJSONTests {
  /// A box that may contain another box.
  ///
  /// Only one thread at a time uses a box.
  final class Box: Codable, @unchecked Sendable {
    var title = "Emma"
    var inner: Box?

    static func nested(_ depth: Int) -> Box {
      var box = Box()
      for _ in 1..<max(depth, 1) {
        let outer = Box()
        outer.inner = box
        box = outer
      }
      return box
    }

    var depth: Int {
      var (depth, box) = (1, self)
      while let inner = box.inner { (depth, box) = (depth + 1, inner) }
      return depth
    }

    /// Releases the nested boxes in a loop, because a recursive release would need stack space per
    /// level.
    static func release(_ box: consuming Box) {
      var next: Box? = box
      while let box = next { (next, box.inner) = (box.inner, nil) }
    }
  }

  private struct Shelf: Codable {
    var id: Int64
    var box: Box
  }

  /// A record that decodes the parts of a column with a nested container.
  private struct Opened: Decodable {
    enum Keys: CodingKey { case id, box }
    enum Parts: CodingKey { case title, inner }
    let depth: Int

    init(from decoder: any Decoder) throws {
      let row = try decoder.container(keyedBy: Keys.self)
      let parts = try row.nestedContainer(keyedBy: Parts.self, forKey: .box)
      let box = try parts.decode(Box.self, forKey: .inner)
      depth = box.depth + 1
      Box.release(box)
    }
  }

  /// A record that uses an empty box if the column cannot be decoded.
  private struct Forgiving: Decodable {
    enum Keys: CodingKey { case box }
    let depth: Int

    init(from decoder: any Decoder) throws {
      let row = try decoder.container(keyedBy: Keys.self)
      let box = (try? row.decode(Box.self, forKey: .box)) ?? Box()
      depth = box.depth
      Box.release(box)
    }
  }

  private struct Tree: JSONColumnValue {
    var box: Box
    init(_ box: Box) { self.box = box }
  }

  private struct Plant: TableRecord {
    var id: Int64?
    var tree: Tree
    static let table = Table(
      "plant", Plant.init, Column("id", \.id).primaryKey(), Column("tree", \.tree))
  }

  /// A link that encodes the next link as its single value: it adds no JSON level, but one nested
  /// call.
  final class Link: Codable {
    let next: Link?
    init(_ next: Link?) { self.next = next }
    init(from decoder: any Decoder) throws { next = nil }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if let next { try container.encode(next) } else { try container.encode("last") }
    }
  }

  @Test(arguments: [1, 64, 65, 300, 511])
  func `a nested value of up to 511 levels is encoded and decoded`(_ depth: Int) async throws {
    let found = try await onSmallStack {
      let box = Box.nested(depth)
      let values = try ColumnValuesEncoder().encode(Shelf(id: 1, box: box))
      Box.release(box)
      let database = try Database.inMemory()
      return try database.write { db in
        try db.execute("CREATE TABLE shelf(id INTEGER PRIMARY KEY, box TEXT)")
        try db.execute("INSERT INTO shelf VALUES (1, \(values["box"] ?? .null))")
        var found: [Int] = []
        for shelf in try db.fetchAll("SELECT * FROM shelf", as: Shelf.self) {
          found.append(shelf.box.depth)
          Box.release(shelf.box)
        }
        let decoded = try ColumnValuesDecoder().decode(Shelf.self, from: values)
        found.append(decoded.box.depth)
        Box.release(decoded.box)
        if depth > 1 {
          found += try db.fetchAll("SELECT * FROM shelf", as: Opened.self).map(\.depth)
        }
        found += try db.fetchAll("SELECT * FROM shelf", as: Forgiving.self).map(\.depth)
        return found
      }
    }

    #expect(found.count == (depth > 1 ? 4 : 3))
    #expect(found.allSatisfy { $0 == depth })
  }

  @Test(arguments: [1, 64, 65, 300, 510])
  func `a JSON column stores and returns values that are nested up to 510 levels`(_ depth: Int)
    async throws
  {
    let found = try await onSmallStack {
      let box = Box.nested(depth)
      defer { Box.release(box) }
      let database = try Database.inMemory()
      return try database.write { db in
        let written = try Plant.table.insertAndFetch(Plant(tree: Tree(box)), in: db)
        let read = try Plant.fetchAll(in: db)
        let found = (read + [written]).map(\.tree.box.depth)
        for plant in read + [written] { Box.release(plant.tree.box) }
        return found
      }
    }

    #expect(found == [depth, depth])
  }

  @Test func `JSON of 512 levels is decoded, and JSON of 513 levels is rejected`() async throws {
    for (count, isRead) in [(512, true), (513, false), (100_000, false)] {
      let text =
        String(repeating: #"{"title":"","inner":"#, count: count - 1) + #"{"title":""}"#
        + String(repeating: "}", count: count - 1)
      let outcome: Result<[Int], any Error> = try await onSmallStack {
        Result {
          try Database.inMemory().read { db in
            let sql: SQL = "SELECT 1 AS id, \(text) AS box"
            let shelves = try db.fetchAll(sql, as: Shelf.self)
            let depths = shelves.map(\.box.depth)
            for shelf in shelves { Box.release(shelf.box) }
            return depths
          }
        }
      }
      switch outcome {
      case .success(let depths): #expect(isRead && depths == [512])
      case .failure(let error):
        #expect(!isRead)
        #expect((error as? StorageError)?.code == .decodingFailed)
      }
    }
  }

  @Test(arguments: [512, 3_000, 50_000])
  func `encoding a value of more than 511 levels throws`(_ depth: Int) async throws {
    let errors = await onSmallStackErrors(depth)

    for error in errors {
      #expect(error?.code == .encodingFailed)
      #expect(error?.message.contains("511 levels") == true)
    }
  }

  private func onSmallStackErrors(_ depth: Int) async -> [StorageError?] {
    let first = await #expect(throws: StorageError.self) {
      try await onSmallStack {
        let box = Box.nested(depth)
        defer { Box.release(box) }
        _ = try ColumnValuesEncoder().encode(Shelf(id: 1, box: box))
      }
    }
    let second = await #expect(throws: StorageError.self) {
      try await onSmallStack {
        let box = Box.nested(depth)
        defer { Box.release(box) }
        _ = try Tree(box).sqlValue()
      }
    }
    return [first, second]
  }

  @Test func `encoding a value of 30,000 nested single-value containers throws`() async throws {
    struct Row: Encodable { let link: Link }
    for isRoot in [true, false] {
      let error = await #expect(throws: StorageError.self) {
        try await onSmallStack {
          var link = Link(nil)
          var links = [link]
          for _ in 0..<30_000 {
            link = Link(link)
            links.append(link)
          }
          // Releases the links one by one, the outermost first.
          defer { while links.popLast() != nil {} }
          if isRoot {
            _ = try ColumnValuesEncoder().encode(link)
          } else {
            _ = try ColumnValuesEncoder().encode(Row(link: link))
          }
        }
      }
      #expect(error?.code == .encodingFailed)
    }
  }
}
