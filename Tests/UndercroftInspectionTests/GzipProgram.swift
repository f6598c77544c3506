import Foundation
import TestSupport
import Testing

/// The program `gzip`.
enum GzipProgram {
  /// Returns the compressed form of bytes.
  static func compress(_ bytes: Data) throws -> Data {
    try withTemporaryDirectory { directory in
      let file = directory.appending(path: "value")
      try bytes.write(to: file)
      let result = try Program(at: "/usr/bin/env").run(["gzip", "-n", file.path])
      #expect(result.status == 0, "\(result.errors)")
      return try Data(contentsOf: directory.appending(path: "value.gz"))
    }
  }
}
