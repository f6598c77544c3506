import Foundation
import Testing

/// The built inspector, run as a process.
struct Tool {
  struct Answer {
    let status: Int32
    let output: String
    let errors: String
  }

  /// The tool in the build folder of the test bundle, found by the bundle or by the executable.
  static let url: URL? = {
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let places = [folder, Bundle.main.bundleURL, Bundle.main.bundleURL.deletingLastPathComponent()]
    return places.map { $0.appending(path: "undercroft") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }()

  static func run(_ arguments: [String], input: String = "") throws -> Answer {
    try start(try #require(url), arguments, input: input)
  }

  /// Runs a line of shell script in which `$0` is the tool and `$1` the given path.
  static func shell(_ line: String, _ path: String) throws -> Answer {
    try start(URL(filePath: "/bin/sh"), ["-c", line, try #require(url).path, path], input: "")
  }

  private static func start(_ program: URL, _ arguments: [String], input: String) throws -> Answer {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    let (output, errors, text) = (Pipe(), Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = text
    try process.run()
    text.fileHandleForWriting.write(Data(input.utf8))
    try text.fileHandleForWriting.close()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let wrong = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Answer(status: process.terminationStatus, output: said, errors: wrong)
  }
}

func run(_ arguments: String..., input: String = "") throws -> Tool.Answer {
  try Tool.run(arguments, input: input)
}

/// Returns the content and modification time of every file and folder in a folder.
func look(_ home: URL) throws -> [String: String] {
  var seen: [String: String] = [:]
  let files = try #require(FileManager.default.enumerator(atPath: home.path))
  for path in ["."] + files.compactMap({ $0 as? String }) {
    let url = home.appending(path: path)
    var status = stat()
    #expect(lstat(url.path, &status) == 0)
    let bytes = status.st_mode & S_IFMT == S_IFREG ? try Data(contentsOf: url) : Data()
    seen[path] = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(bytes.hashValue)"
  }
  return seen
}
