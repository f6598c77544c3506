import ArgumentParser
import Foundation
import UndercroftSQLite

/// The second process of the mode `observation`, which runs one statement in a database.
struct Execute: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Run one statement in a database.")

  @Argument(help: "The file of the database.") var path: String
  @Argument(help: "The statement.") var statement: String

  func run() throws {
    let database = try Database(at: URL(filePath: path))
    try database.write { db in _ = try db.execute(SQL(unchecked: statement)) }
    try database.close()
  }
}
