package import UndercroftCore

/// SQL text with its bound values, such as a statement or a part of a statement.
///
/// A value of this type is usually written as a string literal with interpolations.
///
/// An interpolated value becomes a placeholder with a bound value. The value is never inserted into
/// the text, so no value can change the statement. A `String` variable cannot be passed where SQL
/// is expected.
///
/// ```swift
/// let selection: SQL = """
///   SELECT title FROM \(identifier: table) WHERE id IN (\(ids)) AND shelf = \(shelf)
///   """
/// ```
public struct SQL: Sendable {
  /// The SQL text, with a `?` for each bound value.
  public internal(set) var text: String
  /// The bound values, in the order of their placeholders.
  public private(set) var arguments: [SQLValue]
  /// The error for a value that cannot be bound, or `nil` if all values can be bound.
  ///
  /// An interpolation cannot throw, so running the statement throws this error.
  var failure: StorageError? {
    get { boxedFailure?.error }
    set { boxedFailure = newValue.map(Failure.init) }
  }
  private var boxedFailure: Failure?

  /// An object that stores the error.
  ///
  /// A ``StorageError`` is large, and SQL values are copied often. Copying a reference costs less.
  private final class Failure: Sendable {
    let error: StorageError
    init(_ error: StorageError) { self.error = error }
  }

  /// Creates SQL from a string without a check.
  ///
  /// A person or program that controls a part of the string can run
  /// any SQL on the database. Use this initializer only for text that
  /// is not known before run time, such as the input of a shell.
  ///
  /// - Parameters:
  ///   - text: the text of one or more statements.
  ///   - arguments: the values, one for each `?` in `text`.
  public init(unchecked text: String, arguments: [SQLValue] = []) {
    self.text = text
    self.arguments = arguments
  }

  /// Appends the text and the bound values of a fragment.
  ///
  /// The fragment is appended in place, because a statement may consist of thousands of fragments.
  mutating func append(_ fragment: SQL) {
    text += fragment.text
    arguments += fragment.arguments
    boxedFailure = boxedFailure ?? fragment.boxedFailure
  }
}

extension SQL {
  /// Creates a value that represents SQL that could not be built.
  ///
  /// Running the SQL throws `error`.
  package init(failing error: StorageError) {
    self.init(unchecked: "")
    failure = error
  }

  /// Whether the SQL could not be built, so that running it throws an error.
  package var isFailing: Bool { boxedFailure != nil }
}

extension SQL: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self.init(unchecked: text) }

  public init(stringInterpolation: Interpolation) { self = stringInterpolation.sql }

  /// The collector of the text and the values of an interpolated literal.
  public struct Interpolation: StringInterpolationProtocol {
    var sql = SQL(unchecked: "")

    public init(literalCapacity: Int, interpolationCount: Int) {
      sql.text.reserveCapacity(literalCapacity + 2 * interpolationCount)
      sql.arguments.reserveCapacity(interpolationCount)
    }

    public mutating func appendLiteral(_ literal: String) { sql.text += literal }

    /// Adds a placeholder, and binds one value to it.
    public mutating func appendInterpolation(_ value: some SQLBindable) {
      sql.text += "?"
      bind(value)
    }

    /// Adds a placeholder, and binds one value to it, or NULL for `nil`.
    public mutating func appendInterpolation(_ value: (some SQLBindable)?) {
      sql.text += "?"
      bind(value)
    }

    /// Binds every element of an array, with commas between the placeholders, for the list of an
    /// `IN (…)`.
    ///
    /// An empty array makes an empty list.
    public mutating func appendInterpolation(_ values: [some SQLBindable]) {
      for (offset, value) in values.enumerated() {
        sql.text += offset == 0 ? "?" : ",?"
        bind(value)
      }
    }

    /// Inserts a quoted name, such as the name of a table or column.
    public mutating func appendInterpolation(identifier name: String) {
      sql.text += name.quotedIdentifier
    }

    /// Inserts another piece of SQL with its values.
    public mutating func appendInterpolation(_ fragment: SQL) { sql.append(fragment) }

    private mutating func bind(_ value: some SQLBindable) {
      do throws(StorageError) {
        sql.arguments.append(try value.sqlValue())
      } catch {
        // The text ends with the placeholder of the value, and identifies the value if the
        // fragment contains more than the value.
        let text = StorageError.printable(sql.text)
        sql.failure =
          sql.failure
          ?? (sql.text.isExactly("?")
            ? error : error.within("cannot bind the interpolated value at the end of \(text)"))
      }
    }
  }
}
