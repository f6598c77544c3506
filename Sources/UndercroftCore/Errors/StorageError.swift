#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What went wrong in a storage, a backend or a codec.
///
/// Branch on ``code``; ``description`` is one line for people: *backend: what failed — reason; cure*.
/// A stored value never appears in an error.
public struct StorageError: Error, Sendable {
  /// The sort of failure, to branch on.
  public let code: Code

  /// What failed and why, with the cure when it is known.
  public let message: String

  /// The short name of the backend or codec that failed, such as "gdbm".
  public var backend: String?

  /// The name of the value that was asked for, if the failure concerns one value.
  public var key: String?

  /// The native cause, such as a `SystemError` or a ``CodingFailure``; it does not show a stored value either.
  public let underlying: (any Error)?

  /// Makes an error from its parts.
  ///
  /// - Parameter cure: what the reader can do about it, as an imperative: "pass a key file".
  public init(
    _ code: Code, _ message: String, cure: String? = nil, backend: String? = nil,
    key: String? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = cure.map { "\(message); \($0)" } ?? message
    self.backend = backend
    self.key = key
    self.underlying = underlying
  }

  /// Returns the same error with `backend` and `key` filled in where they are missing.
  public func naming(backend: String? = nil, key: String? = nil) -> StorageError {
    var named = self
    named.backend = self.backend ?? backend
    named.key = self.key ?? key
    return named
  }
}

extension StorageError: CustomStringConvertible {
  public var description: String {
    let place = backend.map { "\($0): " } ?? ""
    let subject = key.map { " (key \(quoted($0)))" } ?? ""
    return place + message + subject
  }
}

extension StorageError: LocalizedError {
  /// The description, which Foundation's `localizedDescription` would else replace by a number.
  public var errorDescription: String? { description }
}

/// Returns `text` in double quotes, with control characters and invisible ones escaped.
///
/// A stored name may hold terminal escapes; an error or a listing must not execute them.
package func quoted(_ text: String) -> String {
  "\"" + escaped(text) + "\""
}

/// Returns `text` with backslashes, quotes, control, bidirectional and other invisible characters escaped.
package func escaped(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse:
      result += "\\u{\(String(scalar.value, radix: 16))}"
    default:
      if scalar == "\"" || scalar == "\\" { result.unicodeScalars.append("\\") }
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}
