import Foundation
import TestSupport
import Testing

extension Program {
  /// The built inspector program, `undercroft`.
  static var inspector: Program { get throws { try Program(built: "undercroft") } }
}

/// Runs the built inspector.
func run(_ arguments: String..., input: String = "") throws -> ProgramResult {
  try run(arguments, input: input)
}

/// Runs the built inspector.
func run(_ arguments: [String], input: String = "") throws -> ProgramResult {
  try Program.inspector.run(arguments, input: input)
}

/// Returns the content and modification time of every file and folder in a folder.
func fileStates(in home: URL) throws -> [String: String] {
  var states: [String: String] = [:]
  let files = try #require(FileManager.default.enumerator(atPath: home.path))
  for path in ["."] + files.compactMap({ $0 as? String }) {
    let url = home.appending(path: path)
    var status = stat()
    #expect(lstat(url.path, &status) == 0)
    let bytes = status.st_mode & S_IFMT == S_IFREG ? try Data(contentsOf: url) : Data()
    states[path] = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(bytes.hashValue)"
  }
  return states
}
