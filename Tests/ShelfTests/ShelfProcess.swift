import Foundation
import TestSupport

/// The built program `shelf`, which tests run as a separate process.
enum ShelfProcess {
  static func start(_ arguments: [String]) throws -> RunningProgram {
    try Program(built: "shelf").start(arguments)
  }

  /// Runs the program; its output goes to the file at `path` if one is given.
  static func run(_ arguments: [String], output path: String? = nil) throws -> ProgramResult {
    try Program(built: "shelf").run(arguments, output: path)
  }

  /// A package database in which all packages have one version.
  static func input(_ count: Int, version: Int) -> Data {
    var text = ""
    for number in 0..<count {
      text += "Package: book-\(number)\nVersion: \(version)\nArchitecture: all\nSection: novels\n"
      text += "Depends: paper, book-\(number / 2) (>= \(version))\n"
      text += "Description: The book number \(number)\n\n"
    }
    return Data(text.utf8)
  }
}
