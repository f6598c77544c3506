package import UndercroftCore

/// One SQL statement and the values bound to it, written as a literal with interpolations.
///
/// An interpolated value becomes a placeholder and is bound; it is never spliced into the text, so no value can change the
/// statement. A `String` variable cannot be passed where SQL is expected.
///
/// ```swift
/// let wanted: SQL = "SELECT title FROM \(identifier: table) WHERE id IN (\(ids)) AND shelf = \(shelf)"
/// ```
public struct SQL: Sendable {
  /// The text, with a `?` for each value.
  public internal(set) var text: String
  /// The values, in the order of their placeholders.
  public private(set) var arguments: [SQLValue]
  /// Why a value cannot be bound: an interpolation cannot throw, so running the statement does.
  var failure: StorageError? {
    get { held?.error }
    set { held = newValue.map(Failure.init) }
  }
  private var held: Failure?

  /// An object, as an error is many words long and statements are copied often.
  private final class Failure: Sendable {
    let error: StorageError
    init(_ error: StorageError) { self.error = error }
  }

  /// Takes text as SQL without a check: whoever can choose a part of it can do anything to the database.
  ///
  /// For text known only at run time, such as what is typed into a shell. Values belong in `arguments`, one for each `?` in `text`.
  public init(unchecked text: String, arguments: [SQLValue] = []) {
    self.text = text
    self.arguments = arguments
  }

  /// In place: a statement may be put together from thousands of pieces.
  mutating func append(_ fragment: SQL) {
    text += fragment.text
    arguments += fragment.arguments
    held = held ?? fragment.held
  }
}

extension SQL {
  /// Stands for SQL that could not be made: whoever runs it gets the error.
  package init(failing error: StorageError) {
    self.init(unchecked: "")
    failure = error
  }

  /// Whether running it throws.
  package var isFailing: Bool { held != nil }
}

extension SQL: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self.init(unchecked: text) }

  public init(stringInterpolation: Interpolation) { self = stringInterpolation.sql }

  /// Collects the text and the values of a literal.
  public struct Interpolation: StringInterpolationProtocol {
    var sql = SQL(unchecked: "")

    public init(literalCapacity: Int, interpolationCount: Int) {
      sql.text.reserveCapacity(literalCapacity + 2 * interpolationCount)
      sql.arguments.reserveCapacity(interpolationCount)
    }

    public mutating func appendLiteral(_ literal: String) { sql.text += literal }

    /// Binds one value.
    public mutating func appendInterpolation(_ value: some SQLBindable) {
      sql.text += "?"
      bind(value)
    }

    /// Binds one value, or NULL for `nil`.
    public mutating func appendInterpolation(_ value: (some SQLBindable)?) {
      sql.text += "?"
      bind(value)
    }

    /// Binds every element, with commas between: the list of an `IN (…)`, empty for an empty array.
    public mutating func appendInterpolation(_ values: [some SQLBindable]) {
      for (offset, value) in values.enumerated() {
        sql.text += offset == 0 ? "?" : ",?"
        bind(value)
      }
    }

    /// Writes the name of a table, a column or the like, in quotes.
    public mutating func appendInterpolation(identifier name: String) {
      sql.text += name.asName
    }

    /// Puts another piece of SQL here, with its values.
    public mutating func appendInterpolation(_ fragment: SQL) { sql.append(fragment) }

    private mutating func bind(_ value: some SQLBindable) {
      do throws(StorageError) {
        sql.arguments.append(try value.sqlValue())
      } catch {
        sql.failure = sql.failure ?? error
      }
    }
  }
}
