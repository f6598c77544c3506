public import UndercroftFoundation

/// An error of a storage, a backend or a codec.
///
/// Branch on ``code``. ``description`` is one line for people:
/// *backend: what failed: reason (key); suggestion*. A stored value never appears in an error.
public struct StorageError: Error, Sendable {
  /// The kind of failure, to branch on.
  public let code: Code

  /// The description of the failure and its reason, without the suggestion.
  package let failure: String

  /// The recommended action as an imperative, such as "pass a key file", or `nil` if none is known.
  public let suggestion: String?

  /// The short name of the backend or codec that failed, such as "gdbm", or `nil` if it is unknown.
  public var backend: String?

  /// The name of the requested value, or `nil` if the failure does not concern a single value.
  public var key: String?

  /// The native cause, such as a `SystemError` or a ``CodingFailure``, or `nil` if there is none.
  ///
  /// No stored value appears in the cause.
  public let underlying: (any Error)?

  /// Creates an error from its parts.
  ///
  /// - Parameters:
  ///   - code: the kind of failure.
  ///   - message: the failure and its reason: "cannot open \"prefs\": another process holds it".
  ///   - suggestion: the recommended action as an imperative: "pass a key file".
  ///   - backend: the short name of the backend or codec that failed.
  ///   - key: the name of the requested value.
  ///   - underlying: the native cause.
  public init(
    _ code: Code, _ message: String, suggestion: String? = nil, backend: String? = nil,
    key: String? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.failure = message
    self.suggestion = suggestion
    self.backend = backend
    self.key = key
    self.underlying = underlying
  }

  /// The failure and its reason, followed by the suggestion if there is one.
  public var message: String { suggestion.map { "\(failure); \($0)" } ?? failure }

  /// Returns the same error with `backend` and `key` filled in where they are missing.
  public func naming(backend: String? = nil, key: String? = nil) -> StorageError {
    var named = self
    named.backend = self.backend ?? backend
    named.key = self.key ?? key
    return named
  }

  /// Returns the same error with a message that begins with `failure`,
  /// the description of the operation that failed because of this error.
  ///
  /// The suggestion remains a separate part.
  package func within(_ failure: String) -> StorageError {
    replacing(failure: "\(failure): \(self.failure)", underlying: underlying)
  }

  /// Returns the same error with `underlying` as its cause.
  package func caused(by underlying: any Error) -> StorageError {
    replacing(failure: failure, underlying: underlying)
  }

  private func replacing(failure: String, underlying: (any Error)?) -> StorageError {
    StorageError(
      code, failure, suggestion: suggestion, backend: backend, key: key, underlying: underlying)
  }

  /// Returns the result of `body`, and fills `backend` and `key` into an error that `body` throws.
  @inlinable
  package static func naming<Result: ~Copyable>(
    backend: @autoclosure () -> String, key: String? = nil,
    _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    do throws(StorageError) { return try body() } catch {
      throw error.naming(backend: backend(), key: key)
    }
  }
}

extension StorageError: CustomStringConvertible {
  public var description: String {
    let prefix = backend.map { "\($0): " } ?? ""
    let subject = key.map { " (key \(quoted($0)))" } ?? ""
    return prefix + failure + subject + (suggestion.map { "; \($0)" } ?? "")
  }
}

extension StorageError: LocalizedError {
  /// The full description, including the suggestion,
  /// because command-line tools print only this text.
  public var errorDescription: String? { description }

  /// The suggestion without the description, or `nil` if no suggestion is known.
  public var recoverySuggestion: String? { suggestion }
}

extension StorageError: WrappingError {
  package var wrappedError: (any Error)? { underlying }
}

/// Returns `text` in double quotes, with the same characters escaped as in ``escaped(_:)``.
///
/// A stored name may contain terminal escape sequences. Escaping prevents
/// the terminal from interpreting the sequences when the name is printed.
package func quoted(_ text: String) -> String {
  "\"" + escaped(text) + "\""
}

/// Returns `text` after escaping backslashes, double
/// quotes, and characters that a terminal may interpret.
///
/// A backslash precedes each backslash and double quote. A code such
/// as `\u{7}` replaces each control, format (such as bidirectional),
/// line separator, paragraph separator or private-use character.
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
