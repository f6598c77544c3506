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
  /// The error that occurred while the SQL was built, or `nil` if there was no error.
  ///
  /// An example is a value that cannot be bound. An interpolation cannot throw, so the error is
  /// stored, and running the SQL throws it.
  var failure: StorageError? {
    get { boxedFailure?.error }
    set { boxedFailure = newValue.map(Failure.init) }
  }
  private var boxedFailure: Failure?

  /// An object that stores the error that running the SQL throws.
  ///
  /// A ``StorageError`` is large, and SQL values are copied often. Copying a reference costs less.
  private final class Failure: Sendable {
    let error: StorageError
    init(_ error: StorageError) { self.error = error }
  }

  /// Creates SQL from a string without a check.
  ///
  /// Pass values in `arguments`, and do not insert them into `text`. A person or program that
  /// controls a part of `text` can run any SQL on the database. `text` must therefore contain no
  /// input that is less trusted than the source code of the application, unless the purpose is to
  /// run the SQL that a person types, as in a database shell.
  ///
  /// Prefer a string literal with interpolations if the text is known at compile time.
  ///
  /// - Parameters:
  ///   - text: the text of one or more statements, with a `?` for each value.
  ///   - arguments: the values to bind, in the order of the placeholders.
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
