public import Foundation
import UndercroftCore
import UndercroftSync
import UndercroftTesting

/// The steps of random histories that the protocol model prints in another process.
public struct ModelTrace: ~Copyable {
  private let child: ChildProcess
  private var rest: [UInt8] = []
  private var lines: ArraySlice<JSONValue> = []

  /// The folder of the Python files of the model in the sources of this package.
  public static let scripts = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Python")

  /// Starts the model in another process.
  ///
  /// - Parameters:
  ///   - first: the seed of the first history.
  ///   - count: the number of histories.
  ///   - steps: the number of steps of each history.
  ///   - profile: the name of the profile of faults, or `nil` if the seeds determine the faults.
  ///   - scripts: the folder of the Python files of the model.
  /// - Throws: a `StorageError` if Python cannot be started.
  public init(
    first: UInt64, count: Int, steps: Int, profile: String? = nil, scripts: URL = Self.scripts
  ) throws {
    child = try ChildProcess(
      [
        "/usr/bin/env", "python3", scripts.appending(path: "trace.py").path(), "\(first)",
        "\(count)", "\(steps)",
      ] + (profile.map { [$0] } ?? []))
  }

  /// Returns the next step.
  ///
  /// Returns `nil` at the end of the model's output.
  ///
  /// - Throws: `unavailable` if the model prints nothing for a minute or ends within a line;
  ///   `decodingFailed` if a line is not JSON. The exit status of the model is not read, so a
  ///   caller counts the histories.
  mutating func next() throws -> JSONValue? {
    while lines.isEmpty {
      guard let bytes = child.read(timeout: .seconds(60)) else {
        guard rest.isEmpty else { throw Self.ended }
        return nil
      }
      guard !bytes.isEmpty else { throw Self.ended }
      rest += bytes
      guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
      lines = try rest[..<end].split(separator: UInt8(ascii: "\n")).map { line in
        do {
          return try JSONReader.read(Data(line))
        } catch {
          throw StorageError(
            .decodingFailed, "cannot read a step of the model: \(error)",
            suggestion: "run trace.py by itself")
        }
      }[...]
      rest.removeSubrange(...end)
    }
    return lines.popFirst()
  }

  private static var ended: StorageError {
    StorageError(
      .unavailable, "cannot read the steps of the model: the program was silent or has ended",
      suggestion: "read its error above, and verify that python3 is installed")
  }
}
