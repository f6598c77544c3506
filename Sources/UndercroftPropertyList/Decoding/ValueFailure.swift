import UndercroftFoundation

/// The reason why a value has not the requested type, without the path to the value.
///
/// A path is created only for a failure, because most values have none.
enum ValueFailure: Error {
  case null
  /// The value has another type, whose name is given.
  case mismatch(String)
  /// The number, which is given as text, is not a value of the requested type.
  case outOfRange(String)
  case damaged(PropertyListError)

  /// Returns the error that a decoder throws.
  ///
  /// - Parameters:
  ///   - type: the requested type.
  ///   - path: the path to the value.
  func decodingError(_ type: any Any.Type, at path: [any CodingKey]) -> DecodingError {
    switch self {
    case .null:
      .valueNotFound(
        type, context(path, "Cannot get value of \(type) -- found null value instead"))
    case .mismatch(let name):
      .typeMismatch(type, context(path, "Expected to decode \(type) but found \(name) instead."))
    case .outOfRange(let number):
      .dataCorrupted(context(path, "Property list number <\(number)> does not fit in \(type)."))
    case .damaged(let error): error.decodingError(at: path)
    }
  }

  private func context(_ path: [any CodingKey], _ description: String) -> DecodingError.Context {
    DecodingError.Context(codingPath: path, debugDescription: description)
  }
}

extension PropertyListError {
  /// The defect and its place, without text of the file.
  package var clause: String { "\(reason) (\(location))" }

  /// Returns the error that a decoder throws for a damaged list.
  package func decodingError(at path: [any CodingKey] = []) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: path, debugDescription: clause, underlyingError: self))
  }
}
