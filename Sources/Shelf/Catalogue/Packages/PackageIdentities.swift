import UndercroftCore

/// Gives each package of a list an identity of its own, although a list may name one package in several versions.
package struct PackageIdentities {
  private var taken: Set<ExactString> = []
  /// The number from which the search for a free identity goes on, by the identity without a number.
  private var next: [ExactString: Int] = [:]

  package init() {}

  /// Returns "name:architecture", with a number behind it where that identity is taken.
  ///
  /// The work for a whole list is linear in its length, however many packages have the same name.
  package mutating func identity(of name: String, _ architecture: String) -> String {
    let plain = "\(name):\(architecture)"
    if taken.insert(ExactString(plain)).inserted { return plain }
    var number = next[ExactString(plain)] ?? 2
    while !taken.insert(ExactString("\(plain)#\(number)")).inserted { number += 1 }
    next[ExactString(plain)] = number + 1
    return "\(plain)#\(number)"
  }
}
