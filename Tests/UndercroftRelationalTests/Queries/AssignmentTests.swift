import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct AssignmentTests {
  private struct Loan: TableRecord, Equatable {
    var id: Int64
    var volumeID: Int64
    var days: Int
    static let table = Table(
      "loan", Loan.init, Column("id", \.id).primaryKey(), Column("volume_id", \.volumeID),
      Column("days", \.days))
  }

  private func first(in db: Connection) throws -> Volume? {
    try Volume.find(1, in: db)
  }

  @Test func `an update can set a column to a literal, a variable, an optional or nil`() throws {
    let (title, note, pages): (String, String?, Int) = ("Dune II", "returned", 640)

    try Volume.library().write { db throws in
      try Volume.table.update(key: 1, in: db) {
        $0.title = title
        $0.note = note
        $0.pages = pages
        $0.price = 12
        $0.authorID = nil
        $0.isLent = true
        if pages > 600 { $0.rating = 1 }
      }

      try #expect(
        first(in: db)
          == Volume(
            id: 1, title: "Dune II", pages: 640, rating: 1, price: 12, note: "returned",
            authorID: nil, isLent: true))
    }
  }

  @Test func `assigned expressions read the values that the row had before the update`() throws {
    try Volume.library().write { db throws in
      try Volume.table.update(key: 1, in: db) {
        $0.rating = 2 * $0.rating + 1
        $0.pages = $0.rating.asOptional
        $0.note = $0.title.asOptional
        $0.title = $0.title.uppercased
        $0.price = SQLExpression("price * 2")
        $0.isLent = $0.rating == 5 && $0.pages > 100
      }

      try #expect(
        first(in: db)
          == Volume(
            id: 1, title: "DUNE", pages: 5, rating: 11, price: 19, note: "Dune", authorID: 1,
            isLent: true))
    }
  }

  @Test func `an update can assign a nonoptional expression to an optional column`()
    throws
  {
    try Volume.library().write { db throws in
      try Volume.where { $0.id == 1 }.update(in: db) {
        $0.note = $0.title
        $0.pages = $0.rating * 2 + 1
        $0.authorID = $0.id.coalesce(0)
        $0.price = SQLExpression<Double>("rating / 2.0")
      }
      try #expect(
        first(in: db)
          == Volume(
            id: 1, title: "Dune", pages: 11, rating: 5, price: 2.5, note: "Dune", authorID: 1))

      try Volume.where { $0.id == 1 }.update(in: db) {
        $0.note = $0.title.uppercased
        $0.pages = $0.title.length
      }
      try #expect(first(in: db)?.note == "DUNE")
      try #expect(first(in: db)?.pages == 4)
    }
  }

  @Test
  func `assigning nil to an optional column stores the column's default value, or else NULL`()
    throws
  {
    struct Label: TableRecord, Equatable {
      var id: Int64
      var (text, colour): (String?, String?)
      static let table = Table(
        "label", { id, text, colour in Label(id: id, text: text, colour: colour) },
        Column("id", \.id).primaryKey(), Column("text", \.text),
        Column("colour", \.colour).default("white"))
    }

    try Database.inMemory().write { db throws in
      try Label.table.insert(Label(id: 1, text: "new", colour: "red"), in: db)
      try Label.table.update(key: 1, in: db) {
        $0.text = nil
        $0.colour = nil
      }

      try #expect(Label.find(1, in: db) == Label(id: 1, text: nil, colour: "white"))
    }
  }

  @Test func `an update can multiply and divide columns by values and expressions`() throws {
    let half = 2

    try Volume.library().write { db throws in
      try Volume.table.update(key: 1, in: db) {
        $0.rating *= 3
        $0.pages /= half
        $0.price *= 2
        $0.authorID *= $0.authorID + 1
      }
      try #expect(
        first(in: db)
          == Volume(
            id: 1, title: "Dune", pages: 300, rating: 15, price: 19, note: "lent", authorID: 2))

      try Volume.where { $0.id == 1 }.update(in: db) {
        $0.rating /= $0.rating - 10
        $0.pages /= $0.rating
        $0.price /= 0.5
      }
      try #expect(
        first(in: db)
          == Volume(
            id: 1, title: "Dune", pages: 20, rating: 3, price: 38, note: "lent", authorID: 2))
    }
  }

  @Test
  func `operators such as += accept a nonoptional expression for an optional column`()
    throws
  {
    try Volume.library().write { db throws in
      try Volume.where { $0.id <= 3 }.update(in: db) { $0.pages += $0.rating }
      try #expect(Volume.where { $0.id <= 3 }.fetchValues(in: db) { $0.pages } == [605, 404, nil])

      try Volume.where { $0.id <= 3 }.update(in: db) { $0.pages -= $0.rating * 2 }
      try #expect(Volume.where { $0.id <= 3 }.fetchValues(in: db) { $0.pages } == [595, 396, nil])

      try Volume.where { $0.id <= 3 }.update(in: db) { $0.pages *= $0.rating }
      try #expect(
        Volume.where { $0.id <= 3 }.fetchValues(in: db) { $0.pages } == [2975, 1584, nil])

      try Volume.where { $0.id <= 3 }.update(in: db) { $0.pages /= $0.rating }
      try #expect(Volume.where { $0.id <= 3 }.fetchValues(in: db) { $0.pages } == [595, 396, nil])
    }
  }

  @Test
  func `an update can add values and expressions to a column, or subtract them from the column`()
    throws
  {
    let more = 3

    try Volume.library().write { db throws in
      try Volume.table.update(key: 1, in: db) {
        $0.rating += 1
        $0.pages -= more
        $0.price += $0.price * 2
        $0.authorID += 1
      }
      try Volume.where { $0.id == 1 }.update(in: db) { $0.rating -= $0.rating + 1 }

      try #expect(
        first(in: db)
          == Volume(
            id: 1, title: "Dune", pages: 597, rating: -1, price: 28.5, note: "lent", authorID: 2))
    }
  }

  @Test func `an update can add and subtract numbers of every type`() throws {
    struct Meter: TableRecord, Equatable {
      var id: Int
      var (a, b, c, d): (Int64, Int32, Int16, Int8)
      var (e, f, g, h, i): (UInt, UInt64, UInt32, UInt16, UInt8)
      var (j, k): (Double, Float)
      static let table = Table(
        "meter",
        { id, a, b, c, d, e, f, g, h, i, j, k in
          Meter(id: id, a: a, b: b, c: c, d: d, e: e, f: f, g: g, h: h, i: i, j: j, k: k)
        },
        Column("id", \.id).primaryKey(), Column("a", \.a), Column("b", \.b), Column("c", \.c),
        Column("d", \.d), Column("e", \.e), Column("f", \.f), Column("g", \.g), Column("h", \.h),
        Column("i", \.i), Column("j", \.j), Column("k", \.k))
    }
    let twos = Meter(id: 1, a: 2, b: 2, c: 2, d: 2, e: 2, f: 2, g: 2, h: 2, i: 2, j: 2, k: 2)
    let byte: UInt8 = 3

    try Database.inMemory().write { db throws in
      try Meter.table.insert(twos, in: db)
      try Meter.table.update(key: 1, in: db) {
        $0.a += 1
        $0.b += $0.b
        $0.c -= 1
        $0.d -= $0.d
        $0.e += 1
        $0.f += $0.f
        $0.g -= 1
        $0.h -= $0.h
        $0.i += byte
        $0.j += 0.5
        $0.k -= 0.5
      }

      try #expect(
        Meter.fetchAll(in: db) == [
          Meter(id: 1, a: 3, b: 4, c: 1, d: 0, e: 3, f: 4, g: 1, h: 0, i: 5, j: 2.5, k: 1.5)
        ])

      try Meter.table.update(key: 1, in: db) {
        $0.a *= 2
        $0.b *= $0.b
        $0.c *= 4
        $0.d *= $0.d
        $0.e /= 3
        $0.f /= $0.f
        $0.g *= 9
        $0.h *= $0.h
        $0.i /= byte
        $0.j *= 0.5
        $0.k /= 0.5
      }

      try #expect(
        Meter.fetchAll(in: db) == [
          Meter(id: 1, a: 6, b: 16, c: 4, d: 0, e: 1, f: 1, g: 9, h: 0, i: 1, j: 1.25, k: 3)
        ])
    }
  }

  @Test func `a subquery in an update can refer to the columns of the updated row`() throws {
    let database = try Volume.library()
    try database.write { db throws in
      try Loan.table.insertAll(
        [
          Loan(id: 1, volumeID: 1, days: 10), Loan(id: 2, volumeID: 1, days: 5),
          Loan(id: 3, volumeID: 2, days: 7),
        ], in: db)

      try Volume.where { $0.id < 4 }.update(in: db) { volume in
        volume.pages = SQLExpression(
          Loan.where { $0.volumeID == volume.id }.select { $0.days.sum })
        volume.rating += SQLExpression(
          Loan.where { $0.volumeID == volume.id && $0.days > volume.rating }
            .select { $0.days.max.coalesce(0) })
      }

      let volumes = try Volume.where { $0.id < 4 }.fetchAll(in: db)
      #expect(volumes.map(\.pages) == [15, 7, nil])
      #expect(volumes.map(\.rating) == [15, 11, 4])
    }
  }

  @Test func `an update that sets a column twice is rejected and writes nothing`() throws {
    try Volume.library().write { db throws in
      let error = #expect(throws: StorageError.self) {
        try Volume.where { $0.rating > 0 }.update(in: db) {
          $0.rating += 1
          $0.rating += 1
        }
      }

      #expect(error?.code == .misuse)
      #expect(
        error?.message.hasPrefix(
          #"cannot write to "volume": cannot set "rating": two assignments set this column"#)
          == true)
      #expect(try Volume.fetchAll(in: db) == Volume.shelf)
    }
  }

  @Test func `an update that sets a property without a column is rejected and writes nothing`()
    throws
  {
    struct Note: TableRecord {
      var id: Int64
      var text: String
      var draft: String { text }
      static let table = Table(
        "note", Note.init, Column("id", \.id).primaryKey(), Column("text", \.text))
    }

    try Database.inMemory().write { db throws in
      try Note.table.insert(Note(id: 1, text: "read"), in: db)
      let error = #expect(throws: StorageError.self) {
        try Note.table.update(key: 1, in: db) {
          $0.text = "lost"
          $0.draft = "x"
        }
      }

      #expect(error?.code == .misuse)
      #expect(error?.message.contains("no column is declared for this property") == true)
      #expect(try Note.find(1, in: db)?.text == "read")
    }
  }

  @Test func `an error thrown by the update closure reaches the caller, and nothing is written`()
    throws
  {
    struct NoTitle: Error {}

    try Volume.library().write { db throws in
      #expect(throws: NoTitle.self) {
        try Volume.where { $0.rating > 0 }.update(in: db) {
          $0.rating = 1
          throw NoTitle()
        }
      }

      #expect(try Volume.fetchAll(in: db) == Volume.shelf)
    }
  }
}
