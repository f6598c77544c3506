package import Foundation

/// The named values of a library, in which the tests of several backends search for "at noon".
package enum SearchedValues {
  /// The values by name.
  ///
  /// One of 50 loans contains the text, and so does a large value. Two values contain the signature
  /// of gzip data, and one of them begins with it. The text is also a name whose value does not
  /// contain it.
  ///
  /// - Parameter loanCount: the number of loans.
  package static func values(loanCount: Int) -> [String: Data] {
    var values: [String: Data] = [
      "empty": Data(), "at noon": Data("the name is no value".utf8),
      "cover": Data([0x1f, 0x8b, 0x08, 0]), "scan": Data([0, 0x1f, 0x8b, 0x08, 0]),
      "scan/large": Data(count: 500_000) + Data("at noon".utf8) + Data(count: 500_000),
    ]
    for number in 0..<loanCount {
      let time = number % 50 == 0 ? "at noon" : "at dawn"
      values["loan/\(number)"] = Data("\(time) of day \(number)".utf8)
    }
    return values
  }
}
