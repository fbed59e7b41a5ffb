"""The customers of the demo and their comments."""

from reservation.demo.shapes import Resident

ADMIN = Resident("Odile", "Caron")
CUSTOMERS = (  # the password of the first customer is printed
    Resident("Camille", "Moreau"),
    Resident("Amandine", "Lefèvre"),
    Resident("Bastien", "Roux"),
    Resident("Chloé", "Garnier"),
    Resident("Djamila", "Benali"),
    Resident("Étienne", "Marchand"),
    Resident("Fanny", "Chevalier"),
    Resident("Guillaume", "Le Goff"),
    Resident("Hélène", "Bonnet"),
    Resident("Idriss", "Diallo"),
    Resident("Jean-Baptiste", "Faure"),
    Resident("Karine", "Schmitt"),
    Resident("Léa", "Fontaine"),
    Resident("Mathilde", "Rousseau"),
    Resident("Nicolas", "Payet"),
    Resident("Océane", "Hoarau"),
    Resident("Pierre", "Lacombe"),
    Resident("Quentin", "Dubois"),
    Resident("Romane", "Gauthier"),
    Resident("Stéphane", "Nguyen"),
    Resident("Thérèse", "Blanchard"),
    Resident("Ulysse", "Meunier"),
    Resident("Valérie", "Da Silva"),
    Resident("Wassim", "Haddad"),
    Resident("Zoé", "Picard"),
)
COMMENTS = (
    "C'est ma première visite.",
    "J'aurai peut-être cinq minutes de retard.",
    "Je viens avec ma fille.",
    "Prévenez-moi si une place se libère plus tôt, merci !",
    "Je paierai par chèque.",
    "Y a-t-il un parking à proximité ?",
    "Merci de me rappeler la veille.",
)
