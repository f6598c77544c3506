import UndercroftCore

/// An error that a writer received while its system calls were made to fail.
package struct FaultError {
  /// The codes of the error and of its causes, such as "migrationFailed" and "full".
  let codes: [Substring]
  let text: String

  init(line: String) {
    let words = line.split(separator: " ", maxSplits: 1)
    codes = words.first?.split(separator: "/") ?? []
    text = words.count > 1 ? String(words[1]) : line
  }

  /// Returns the text with which a writer reports an error:
  /// the codes, separated by slashes, and the description.
  ///
  /// - Parameter cause: a closure that returns the cause of an error that is not a `StorageError`.
  package static func line(
    for error: any Error, cause: (any Error) -> (any Error)? = { _ in nil }
  ) -> String {
    var codes: [String] = []
    var next: (any Error)? = error
    while let error = next {
      if let error = error as? StorageError {
        codes.append(error.code.rawValue)
        next = error.underlying
      } else {
        next = cause(error)
      }
    }
    return "\(codes.isEmpty ? "unknown" : codes.joined(separator: "/")) \(error)"
  }

  func has(_ code: StorageError.Code) -> Bool { codes.contains { $0 == code.rawValue } }
}
