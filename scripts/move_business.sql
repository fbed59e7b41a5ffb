-- Moves the business @business from the database `source` into the current database, in one
-- transaction; both have the same schema version. Each id grows by @offset. See docs/scale.md.
-- The same text works in sqlite3 and in mariadb.
BEGIN;
UPDATE source.entreprise SET calendrier_version = calendrier_version + 1 WHERE id = @business;

-- Accounts stay in `source`. An account is copied if no account of the current database has its
-- e-mail address. Otherwise the account that has this address gets the bookings of the copied
-- business, but only if its holder has proven the address.
CREATE TEMPORARY TABLE moved_utilisateur AS SELECT * FROM source.utilisateur WHERE id IN (
    SELECT proprietaire_id FROM source.entreprise WHERE id = @business
    UNION SELECT utilisateur_id FROM source.ressource WHERE entreprise_id = @business
    UNION SELECT utilisateur_id FROM source.client WHERE entreprise_id = @business
    UNION SELECT titulaire_id FROM source.reservation WHERE entreprise_id = @business
    UNION SELECT demandeur_id FROM source.reservation WHERE entreprise_id = @business
);
CREATE TEMPORARY TABLE new_utilisateur AS
    SELECT * FROM moved_utilisateur WHERE email NOT IN (SELECT email FROM utilisateur);
UPDATE new_utilisateur SET id = id + @offset;
INSERT INTO utilisateur SELECT * FROM new_utilisateur;
CREATE TEMPORARY TABLE account AS SELECT m.id AS id_there, u.id AS id_here
    FROM moved_utilisateur m JOIN utilisateur u ON u.email = m.email
    WHERE u.email_prouve_le IS NOT NULL OR u.id = m.id + @offset;

CREATE TEMPORARY TABLE moved_entreprise AS
    SELECT * FROM source.entreprise WHERE id = @business;
UPDATE moved_entreprise SET id = id + @offset,
    proprietaire_id = (SELECT id_here FROM account WHERE id_there = proprietaire_id);
-- If another business has the short address already, the moved business gets its id as address.
UPDATE moved_entreprise SET adresse_courte = id WHERE adresse_courte IN (
    SELECT adresse_courte FROM entreprise UNION SELECT adresse FROM ancienne_adresse
);
INSERT INTO entreprise SELECT * FROM moved_entreprise;

CREATE TEMPORARY TABLE moved_ancienne_adresse AS
    SELECT * FROM source.ancienne_adresse WHERE entreprise_id = @business AND adresse NOT IN (
        SELECT adresse_courte FROM entreprise UNION SELECT adresse FROM ancienne_adresse
    );
UPDATE moved_ancienne_adresse SET id = id + @offset, entreprise_id = entreprise_id + @offset;
INSERT INTO ancienne_adresse SELECT * FROM moved_ancienne_adresse;

CREATE TEMPORARY TABLE moved_photo AS
    SELECT * FROM source.photo WHERE entreprise_id = @business;
UPDATE moved_photo SET id = id + @offset, entreprise_id = entreprise_id + @offset;
INSERT INTO photo SELECT * FROM moved_photo;

CREATE TEMPORARY TABLE moved_image AS SELECT * FROM source.image
    WHERE photo_id IN (SELECT id FROM source.photo WHERE entreprise_id = @business);
UPDATE moved_image SET id = id + @offset, photo_id = photo_id + @offset;
INSERT INTO image SELECT * FROM moved_image;

CREATE TEMPORARY TABLE moved_prestation AS
    SELECT * FROM source.prestation WHERE entreprise_id = @business;
UPDATE moved_prestation SET id = id + @offset, entreprise_id = entreprise_id + @offset;
INSERT INTO prestation SELECT * FROM moved_prestation;

INSERT INTO mot (texte, envers, racine) SELECT texte, envers, racine FROM source.mot
    WHERE texte NOT IN (SELECT texte FROM mot)
    AND texte IN (SELECT mot FROM source.occurrence WHERE entreprise_id = @business);
INSERT INTO occurrence SELECT id + @offset, entreprise_id + @offset, mot, rang
    FROM source.occurrence WHERE entreprise_id = @business;

CREATE TEMPORARY TABLE moved_ressource AS
    SELECT * FROM source.ressource WHERE entreprise_id = @business;
UPDATE moved_ressource SET id = id + @offset, entreprise_id = entreprise_id + @offset,
    utilisateur_id = (SELECT id_here FROM account WHERE id_there = utilisateur_id);
INSERT INTO ressource SELECT * FROM moved_ressource;

CREATE TEMPORARY TABLE moved_prestation_ressource AS SELECT * FROM source.prestation_ressource
    WHERE ressource_id IN (SELECT id FROM source.ressource WHERE entreprise_id = @business);
UPDATE moved_prestation_ressource SET id = id + @offset,
    prestation_id = prestation_id + @offset, ressource_id = ressource_id + @offset;
INSERT INTO prestation_ressource SELECT * FROM moved_prestation_ressource;

CREATE TEMPORARY TABLE moved_semainetype AS
    SELECT * FROM source.semainetype WHERE entreprise_id = @business;
UPDATE moved_semainetype SET id = id + @offset, entreprise_id = entreprise_id + @offset,
    ressource_id = ressource_id + @offset, prestation_id = prestation_id + @offset;
INSERT INTO semainetype SELECT * FROM moved_semainetype;

CREATE TEMPORARY TABLE moved_evenement AS
    SELECT * FROM source.evenement WHERE entreprise_id = @business;
UPDATE moved_evenement SET id = id + @offset, entreprise_id = entreprise_id + @offset,
    ressource_id = ressource_id + @offset;
INSERT INTO evenement SELECT * FROM moved_evenement;

CREATE TEMPORARY TABLE moved_creneau AS SELECT * FROM source.creneau
    WHERE ressource_id IN (SELECT id FROM source.ressource WHERE entreprise_id = @business);
UPDATE moved_creneau SET id = id + @offset, ressource_id = ressource_id + @offset,
    prestation_id = prestation_id + @offset;
INSERT INTO creneau SELECT * FROM moved_creneau;

CREATE TEMPORARY TABLE moved_client AS
    SELECT * FROM source.client WHERE entreprise_id = @business;
UPDATE moved_client SET id = id + @offset, entreprise_id = entreprise_id + @offset,
    utilisateur_id = (SELECT id_here FROM account WHERE id_there = utilisateur_id);
INSERT INTO client SELECT * FROM moved_client;

-- Idempotency keys are removed, because they belong to requests with the old ids.
CREATE TEMPORARY TABLE moved_reservation AS
    SELECT * FROM source.reservation WHERE entreprise_id = @business;
UPDATE moved_reservation SET id = id + @offset, entreprise_id = entreprise_id + @offset,
    client_id = client_id + @offset, prestation_id = prestation_id + @offset,
    ressource_id = ressource_id + @offset, lieu_id = lieu_id + @offset,
    creneau_id = creneau_id + @offset,
    titulaire_id = (SELECT id_here FROM account WHERE id_there = titulaire_id),
    cle_idempotence = NULL, empreinte = NULL;
-- MySQL can read a temporary table only once in a statement.
UPDATE moved_reservation
    SET demandeur_id = (SELECT id_here FROM account WHERE id_there = demandeur_id);
INSERT INTO reservation SELECT * FROM moved_reservation;

CREATE TEMPORARY TABLE moved_eventemail AS
    SELECT * FROM source.eventemail WHERE entreprise_id = @business;
UPDATE moved_eventemail SET id = id + @offset, entreprise_id = entreprise_id + @offset,
    reservation_id = reservation_id + @offset, ressource_id = ressource_id + @offset;
INSERT INTO eventemail SELECT * FROM moved_eventemail;

DELETE /*! i */ FROM source.image /*! AS i */
    WHERE photo_id IN (SELECT id FROM source.photo WHERE entreprise_id = @business);
DELETE FROM source.photo WHERE entreprise_id = @business;
DELETE FROM source.ancienne_adresse WHERE entreprise_id = @business;
DELETE FROM source.eventemail WHERE entreprise_id = @business;
DELETE FROM source.reservation WHERE entreprise_id = @business;
DELETE FROM source.client WHERE entreprise_id = @business;
-- MariaDB uses the index of this table only if the table has an alias.
DELETE /*! c */ FROM source.creneau /*! AS c */
    WHERE ressource_id IN (SELECT id FROM source.ressource WHERE entreprise_id = @business);
DELETE FROM source.evenement WHERE entreprise_id = @business;
DELETE FROM source.semainetype WHERE entreprise_id = @business;
DELETE /*! l */ FROM source.prestation_ressource /*! AS l */
    WHERE ressource_id IN (SELECT id FROM source.ressource WHERE entreprise_id = @business);
DELETE FROM source.ressource WHERE entreprise_id = @business;
DELETE FROM source.occurrence WHERE entreprise_id = @business;
DELETE FROM source.prestation WHERE entreprise_id = @business;
DELETE FROM source.entreprise WHERE id = @business;
COMMIT;
