/// The reason why a property list is rejected before Foundation decodes it.
enum PropertyListDefect: String, Error {
  case notText = "it is not text in UTF-8 or UTF-16"
  case tooDeep = "it is nested too deep"
  case endless = "an array or dictionary contains itself"
  case tooManyObjects = "it expands to far more objects than it contains"
  case objectTooLarge = "an object declares a size larger than the list"
}
