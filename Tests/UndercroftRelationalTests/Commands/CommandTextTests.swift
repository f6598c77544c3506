import BehaviourTrait
import Testing
import UndercroftCore
import UndercroftRelational
import UndercroftSQLite

@Suite struct CommandTextTests {
  @Test(.behaviour("A-WC-25"))
  func `CREATE TABLE lists the declared columns first and then the table constraints`() {
    #expect(
      QueryCommand.createTable(Copy.table.definition).description == """
        CREATE TABLE "copy" ("isbn" TEXT NOT NULL, "number" INTEGER NOT NULL CHECK (number > 0), \
        "shelf" TEXT, "place" INTEGER, PRIMARY KEY ("isbn", "number"), UNIQUE ("shelf", "place"), \
        CHECK ((shelf IS NULL) = (place IS NULL))) STRICT, WITHOUT ROWID
        """)
    #expect(
      QueryCommand.createTable(Loan.table.definition).description == """
        CREATE TABLE "loan" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "isbn" TEXT NOT NULL, \
        "number" INTEGER NOT NULL, "lent" REAL NOT NULL DEFAULT 0.5, "returned" REAL, "fee" REAL \
        AS (max(0, returned - lent - 30)) STORED, CHECK (lent < returned), \
        FOREIGN KEY ("isbn", "number") REFERENCES "copy" ("isbn", "number") ON DELETE RESTRICT);
        CREATE UNIQUE INDEX "undercroft.loan.isbn.number" ON "loan" ("isbn", "number") \
        WHERE returned IS NULL
        """)
    #expect(
      QueryCommand.createTable(Club.table.definition).description == """
        CREATE TABLE "club" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL UNIQUE, \
        "founder_id" INTEGER REFERENCES "reader" ("id") DEFERRABLE INITIALLY DEFERRED, \
        "parent_id" INTEGER REFERENCES "club" ("id") ON DELETE CASCADE ON UPDATE CASCADE)
        """)
  }

  @Test
  func `CREATE TABLE of a table without a record type contains all declared column constraints`()
    throws
  {
    let columns = [
      ColumnDefinition("code", .text).primaryKey(),
      ColumnDefinition("label", .text, isOptional: true).default("it's").collated("NOCASE"),
      ColumnDefinition("weight", .real).default(1.5).check("weight > 0"),
      ColumnDefinition("mark", .blob, isOptional: true).unique(),
      ColumnDefinition("twice", .real, isOptional: true).generated(as: "weight * 2"),
      ColumnDefinition("club", .integer).references("club", "id", onDelete: .cascade),
    ]
    let command = QueryCommand.createTable("box", columns: columns, isStrict: true)
    #expect(
      command.description == """
        CREATE TABLE "box" ("code" TEXT PRIMARY KEY NOT NULL, "label" TEXT DEFAULT 'it''s' COLLATE \
        "NOCASE", "weight" REAL NOT NULL DEFAULT 1.5 CHECK (weight > 0), "mark" BLOB UNIQUE, \
        "twice" REAL AS (weight * 2) VIRTUAL, "club" INTEGER NOT NULL \
        REFERENCES "club" ("id") ON DELETE CASCADE) STRICT
        """)

    try Database.inMemory().write { db in
      try command.run(in: db)
      #expect(try db.columns(of: "box").map(\.name) == columns.map(\.name))
    }
  }

  @Test(.behaviour("A-WC-27"), .behaviour("A-WC-28"))
  func `commands create, rename and drop tables, columns and indexes with arbitrary names`()
    throws
  {
    try Database.inMemory().write { db in
      let id = ColumnDefinition("id", .integer).primaryKey()

      try QueryCommand.createTable("test@Table", columns: [id]).run(in: db)
      #expect(try db.tableExists("test@Table"))

      let column = ColumnDefinition("a \"b\"", .text, isOptional: true)
      try QueryCommand.addColumn(column, to: "test@Table").run(in: db)
      let index = "test@Table_index"
      try QueryCommand.createIndex(
        index, on: "test@Table", columns: ["a \"b\"", "id"], isUnique: true, where: "id > 3"
      ).run(in: db)
      #expect(
        try db.schema().first { $0.name == index }?.sql
          == #"CREATE UNIQUE INDEX "test@Table_index" ON "test@Table" ("a ""b""", "id") WHERE id > 3"#
      )

      try QueryCommand.dropIndex(index).run(in: db)
      #expect(try db.schema().count == 1)

      try QueryCommand.renameColumn("a \"b\"", of: "test@Table", to: "c").run(in: db)
      try QueryCommand.renameTable("test@Table", to: "plain").run(in: db)
      #expect(try db.columns(of: "plain").map(\.name) == ["id", "c"])

      try QueryCommand.dropColumn("c", of: "plain").run(in: db)
      #expect(try db.columns(of: "plain").map(\.name) == ["id"])
      try QueryCommand.dropTable("plain").run(in: db)
      #expect(try db.tableExists("plain") == false)
    }
  }

  @Test func `creating a table throws if the default value of a column is infinite`() throws {
    let column = ColumnDefinition("x", .real).default(Double.infinity)

    let error = try Database.inMemory().write { db in
      #expect(throws: StorageError.self) {
        try QueryCommand.createTable("t", columns: [column]).run(in: db)
      }
    }

    #expect(error?.code == .encodingFailed)
  }
}
