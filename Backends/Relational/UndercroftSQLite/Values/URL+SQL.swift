public import UndercroftCore
public import UndercroftFoundation

extension URL: SQLBindable, SQLReadable {
  /// Returns the absolute form of the URL as text.
  public func sqlValue() throws(StorageError) -> SQLValue { .text(absoluteString) }

  /// Reads text that is a valid URL without characters that would have to be percent-encoded.
  ///
  /// - Throws: ``StorageError/Code/decodingFailed`` for
  ///   any other text and for a value of another type.
  public static func read(from column: borrowing SQLColumn) throws(StorageError) -> URL {
    let text = try column.text()
    guard let url = URL(string: text), url.absoluteString == text else {
      throw column.failure("the text is not a valid, percent-encoded URL")
    }
    return url
  }
}
