import Foundation
import Testing

/// The executable, run from the command line.
struct ShelfProcess {
  let process = Process()
  private let output = Pipe()
  private let errors = Pipe()

  struct Result {
    let status: Int32
    let output: String
    let errors: String
  }

  /// Runs the executable; its output goes to the file at `path` if one is given.
  init(_ arguments: [String], output path: String? = nil) throws {
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let program = try #require(
      [folder, Bundle.main.bundleURL].map { $0.appending(path: "shelf") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) })
    process.executableURL = program
    process.arguments = arguments
    if let path {
      process.standardOutput = try FileHandle(forWritingTo: URL(filePath: path))
      // No process writes to this pipe.
      try output.fileHandleForWriting.close()
    } else {
      process.standardOutput = output
    }
    process.standardError = errors
    try process.run()
  }

  /// The output fits into a pipe's buffer, so the pipes can be read one after the other.
  func result() -> Result {
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let wrong = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Result(status: process.terminationStatus, output: said, errors: wrong)
  }

  static func run(_ arguments: [String], output path: String? = nil) throws -> Result {
    try ShelfProcess(arguments, output: path).result()
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
